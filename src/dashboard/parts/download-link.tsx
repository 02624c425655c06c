import { useEffect, useMemo } from 'preact/hooks';

type DownloadLinkProps = { text: string; name: string };

/** Saves a JSON text as a file that the browser makes. */
export function DownloadLink({ text, name }: DownloadLinkProps) {
  const url = useMemo(
    () => URL.createObjectURL(new Blob([text], { type: 'application/json' })),
    [text],
  );
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <a class="button" href={url} download={name}>
      Download as JSON
    </a>
  );
}
