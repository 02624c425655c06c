import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { reconnects } from './connection.ts';
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
  const turns = useRef(0);
  // A late reload, as after a write, reads what is shown now and not what was shown then.
  const newestRead = useRef(read);
  newestRead.current = read;
  const reload = useCallback(async () => {
    turns.current += 1;
    const turn = turns.current;
    try {
      const answer = await newestRead.current();
      if (turn !== turns.current) return;
      setValue(() => answer);
      setProblem('');
    } catch (error) {
      if (turn === turns.current) setProblem(messageOf(error));
    }
  }, [key]);
  useEffect(() => {
    void reload(); // failures are kept in `problem`
    return () => {
      turns.current += 1;
    };
  }, [reload]);
  const back = reconnects.value;
  useEffect(() => {
    if (back > 0 && problem !== '') void reload();
  }, [back]);
  return { value, problem, reload };
}
