import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasDialog, isTyping } from './shortcuts.tsx';

/** What each key of a view does. */
export type ViewKeys = Readonly<Record<string, () => void>>;

/** Keys of a view; they rest while somebody types, or where a dialog asks. */
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
