import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useKeys } from './use-keys.ts';

const keys = {
  'Ctrl K': 'Go anywhere, find a memory, do something (⌘K on a Mac)',
  '/': 'Search',
  'j k': 'Next and previous memory',
  'a d n': 'In Review: accept, decline, decline and block',
  e: 'Edit the memory',
  '+ - 0': 'In Graph: closer, further away, all of it',
  Escape: 'Close or cancel',
  '?': 'This list',
};

const areShown = signal(false);

/** Opens the list of keys; the menu offers it too, for screens without a keyboard. */
export function showShortcuts(): void {
  areShown.value = true;
}

/** Shows the list of keys at `?`; `/` goes to the first search field. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ '?': showShortcuts, '/': focusSearch });
  useLayoutEffect(() => {
    if (areShown.value) dialog.current?.showModal();
  }, [areShown.value]);
  return (
    <dialog
      ref={dialog}
      aria-label="Help"
      onClose={() => {
        areShown.value = false;
      }}
    >
      <h2>Keys</h2>
      <dl class="keys">
        {Object.entries(keys).map(([key, about]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <h2>More help</h2>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          The API, with an example of each call
        </a>
        . At a terminal, <code>mneme help</code> lists the commands.
        <code>mneme doctor</code> finds what is wrong.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main input[type=search]')?.focus();
}
