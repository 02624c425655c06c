import type { ComponentChildren } from 'preact';

type ScrollProps = { label: string; children: ComponentChildren };

/** Something wider than a phone, which scrolls by itself. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
