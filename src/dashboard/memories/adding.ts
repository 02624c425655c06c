import { signal } from '@preact/signals';
import type { Sent } from '../../client/operations.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { messageOf } from '../parts/message-of.ts';
import { client } from '../parts/session.ts';

/** The outcome of the last text that was added here. */
type AddedText = {
  results: readonly WriteResult[];
  /** Whether the first one is recalled only after a review. */
  waits: boolean;
  /** Why the categories could not be set; the memories are stored all the same. */
  problem: string;
};

/** Null after it was dismissed. It outlasts the view, which opens the memory meanwhile. */
export const lastAdded = signal<AddedText | null>(null);

/** Stores a text, files it, and returns the id to open, if there is something to see. */
export async function addText(
  input: Sent<'add_memory'>,
  categories: readonly string[],
): Promise<string | null> {
  const { results } = await client.addMemory({ ...input, async_mode: false });
  const problem = await fileAll(results, categories).then(() => '', messageOf);
  const memory_id = results.find(({ id, event }) => id !== null && event !== 'DELETE')?.id ?? null;
  const waits = memory_id !== null && (await isWaiting(memory_id));
  lastAdded.value = { results, waits, problem };
  return waits ? null : memory_id;
}

/** Only what is new: an earlier memory stays where it is filed. */
async function fileAll(
  results: readonly WriteResult[],
  categories: readonly string[],
): Promise<void> {
  const ids = results.flatMap(({ id, event }) => (event === 'ADD' && id !== null ? [id] : []));
  if (categories.length === 0 || ids.length === 0) return;
  const memories = ids.map((memory_id) => ({ memory_id, categories: [...categories] }));
  await client.batchUpdateMemories({ memories });
}

/** Whether a memory waits for a review. A failure here does not matter: the memory is stored. */
async function isWaiting(memory_id: string): Promise<boolean> {
  const memory = await client.getMemory({ memory_id }).catch(() => null);
  return memory !== null && memory.status !== 'active';
}
