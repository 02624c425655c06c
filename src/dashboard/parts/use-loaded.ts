import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './message-of.ts';

/** What a view has read: nothing yet, or the newest answer; why the last reading failed. */
export type Loaded<T> = { value: T | null; problem: string; reload: () => Promise<void> };

/** Reads when the view opens, when `key` changes, and when asked; a late answer is dropped. */
export function useLoaded<T>(read: () => Promise<T>, key: string): Loaded<T> {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  const newest = useRef(0);
  const reload = useCallback(async () => {
    newest.current += 1;
    const own = newest.current;
    try {
      const found = await read();
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
  return { value, problem, reload };
}
