import { CopyButton } from '../parts/call-as.tsx';

/** A text for somewhere else; the button says what it copies. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <figure class="copyable" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <pre tabIndex={0}>{text.trimEnd()}</pre>
      <CopyButton key={text} text={text} />
    </figure>
  );
}
