import { useLayoutEffect, useRef } from 'preact/hooks';

/** The function that each key of a view calls. */
export type ViewKeys = Readonly<Record<string, () => void>>;

/** Listens for keys. They do nothing while somebody types or while a dialog is open. */
export function useKeys(keys: ViewKeys): void {
  const newest = useRef(keys);
  newest.current = keys;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (hasDialog()) return;
      if (!Object.hasOwn(newest.current, event.key)) return;
      event.preventDefault();
      newest.current[event.key]?.();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** True while a dialog waits for an answer: nothing above or below it may act then. */
export function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** True while the user types, when letters are text. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select');
}
