import { useState } from 'preact/hooks';

/** A request as the screen sends it. */
export type Call = { method: string; path: string; body: unknown; operation: string };

const languages = {
  curl: ({ method, path, body }: Call) =>
    [
      `curl -X ${method} ${location.origin}${path}`,
      `-H "Authorization: Token $MNEME_API_KEY"`,
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    ].join(' \\\n  '),
  TypeScript: ({ operation, body }: Call) =>
    [
      "import { createClient } from 'mneme/client';",
      `const client = createClient({ base_url: '${location.origin}', api_key });`,
      `await client.${operation}(${JSON.stringify(body, null, 2)});`,
    ].join('\n'),
  Python: ({ method, path, body }: Call) =>
    [
      'import json, os, urllib.request',
      `body = json.loads(${JSON.stringify(JSON.stringify(body))})`,
      'request = urllib.request.Request(',
      `    "${location.origin}${path}", method="${method}", data=json.dumps(body).encode(),`,
      '    headers={"Authorization": f"Token {os.environ[\'MNEME_API_KEY\']}",',
      '             "Content-Type": "application/json"})',
      'print(json.load(urllib.request.urlopen(request)))',
    ].join('\n'),
};
type Language = keyof typeof languages;

/** Shows how a program makes the call of this screen. */
export function CallAs({ call }: { call: Call }) {
  const [language, setLanguage] = useState<Language>('curl');
  const text = languages[language](call);
  return (
    <details class="call">
      <summary>This call as code</summary>
      <fieldset>
        <legend class="hidden">Language</legend>
        {(Object.keys(languages) as Language[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === language}
            onClick={() => setLanguage(name)}
          >
            {name}
          </button>
        ))}
        <CopyButton text={text} />
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}

export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button type="button" onClick={() => void copy().catch(() => setCopied(false))}>
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}
