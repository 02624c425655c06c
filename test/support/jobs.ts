import { addMs } from '../../src/core/queue/add-ms.ts';
import type { Engine } from './engine.ts';

/** True if a worker could claim a job so many milliseconds from now; claims none. */
export async function isDue({ clock, store }: Engine, afterMs: number): Promise<boolean> {
  const now = addMs(clock.now(), afterMs);
  let found = false;
  const undone = store.transaction(async (tables) => {
    found = (await tables.jobs.claim({ owner: 'nobody', now, until: now })) !== null;
    throw new Error('undone');
  });
  await undone.catch(() => {});
  return found;
}
