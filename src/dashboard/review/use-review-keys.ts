import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasDialog, isTyping } from '../parts/shortcuts.tsx';

/** What each key of the list does. */
export type ReviewKeys = Readonly<Record<string, () => void>>;

/** Keys of the list; they rest while somebody types, or where a dialog asks. */
export function useReviewKeys(keys: ReviewKeys): void {
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
