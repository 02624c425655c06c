import type { IconNode } from 'lucide';
import { h } from 'preact';

/** A picture that says nothing that the words beside it do not. */
export function Icon({ node }: { node: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {node.map(([tag, attributes]) => h(tag, { ...attributes }))}
    </svg>
  );
}
