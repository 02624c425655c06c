import { limits } from '../../contract/limits.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { MemoryChanges } from '../detail/draft.ts';
import { client } from '../parts/session.ts';

export type BulkChange = Pick<MemoryChanges, 'pinned' | 'categories'>;

/** Is told which were sent, if any. */
type OnDone = (done: readonly Memory[]) => void;

/** Changes all that can be changed; `left` are immutable. */
export async function updateAll(memories: readonly Memory[], change: BulkChange, onDone: OnDone) {
  const open = memories.filter(({ immutable }) => !immutable);
  const send = (some: Memory[]) =>
    client.batchUpdateMemories({
      memories: some.map(({ id }) => ({ memory_id: id, ...change })),
    });
  await sendInBatches(open, send, onDone);
  return { left: memories.length - open.length };
}

/** Throws the error of a batch that fails, after the ones before it are told to `onDone`. */
export async function sendInBatches(
  memories: readonly Memory[],
  send: (some: Memory[]) => Promise<unknown>,
  onDone: OnDone,
): Promise<void> {
  let sent = 0;
  try {
    while (sent < memories.length) {
      const some = memories.slice(sent, sent + limits.batch_size_max);
      await send(some);
      sent += some.length;
    }
  } finally {
    if (sent > 0) onDone(memories.slice(0, sent));
  }
}

export function idsOf(memories: readonly Memory[]): string[] {
  return memories.map(({ id }) => id);
}
