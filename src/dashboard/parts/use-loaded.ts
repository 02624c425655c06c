import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { returns } from './connection.ts';
import { messageOf } from './message-of.ts';

/** What a view has read: nothing yet, or the newest answer; why the last reading failed. */
export type Loaded<T> = { value: T | null; problem: string; reload: () => Promise<void> };

/**
 * Reads when the view opens, when `key` changes, when asked, and when the server is back after a
 * failure; a late answer is dropped.
 */
export function useLoaded<T>(read: () => Promise<T>, key: string): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  const newest = useRef(0);
  // Whoever asks late, as after a write, gets what is shown now and not what was shown then.
  const shown = useRef(read);
  shown.current = read;
  const reload = useCallback(async () => {
    newest.current += 1;
    const own = newest.current;
    try {
      const found = await shown.current();
      if (own !== newest.current) return;
      setValue(() => found);
      setProblem('');
    } catch (error) {
      if (own === newest.current) setProblem(messageOf(error));
    }
  }, [key]);
  useEffect(() => {
    void reload(); // failures are kept in `problem`
    return () => {
      newest.current += 1;
    };
  }, [reload]);
  const back = returns.value;
  useEffect(() => {
    if (back > 0 && problem !== '') void reload();
  }, [back]);
  return { value, problem, reload };
}
