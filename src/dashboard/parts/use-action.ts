import { useState } from 'preact/hooks';
import { messageOf } from './message-of.ts';

/** One thing at a time that a person does, and why the last one failed. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  /** For a handler of an event: its failure is kept in `problem`. */
  const run = (work: () => Promise<unknown>) => void act(work);
  return { busy, problem, run };
}
