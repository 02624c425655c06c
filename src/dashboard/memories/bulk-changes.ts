import { limits } from '../../contract/limits.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { MemoryChanges } from '../detail/draft.ts';
import { client } from '../parts/session.ts';

export type BulkChange = Pick<MemoryChanges, 'pinned' | 'categories'>;

/** Changes all that can be changed; `left` are immutable. */
export async function updateAll(memories: readonly Memory[], change: BulkChange) {
  const open = memories.filter(({ immutable }) => !immutable);
  const changes = open.map(({ id }) => ({ memory_id: id, ...change }));
  await sendInBatches(changes, (some) => client.batchUpdateMemories({ memories: some }));
  return { left: memories.length - open.length };
}

export async function sendInBatches<T>(
  items: readonly T[],
  send: (some: T[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += limits.batch_size_max) {
    await send(items.slice(at, at + limits.batch_size_max));
  }
}
