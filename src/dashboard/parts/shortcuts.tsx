import { useLayoutEffect, useRef } from 'preact/hooks';

const keys = {
  '/': 'Search',
  'j k': 'Next and previous memory',
  e: 'Edit the memory',
  Escape: 'Close or cancel',
  '?': 'This list',
};

/** True while the user types, when letters are text. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}

/** The list of keys, shown by `?`; `/` goes to the first search field. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') dialog.current?.showModal();
      if (event.key !== '/') return;
      event.preventDefault();
      document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <dialog ref={dialog} aria-label="Keys">
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
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
