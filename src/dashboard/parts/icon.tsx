import type { IconNode } from 'lucide';
import { h } from 'preact';

/** A picture that only repeats the words beside it. */
export function Icon({ node }: { node: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {node.map(([tag, attributes]) => h(tag, { ...attributes }))}
    </svg>
  );
}
