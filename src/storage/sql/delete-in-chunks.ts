import { setImmediate } from 'node:timers/promises';

/** Rows in one statement: more would keep this process from everything else for too long. */
const chunkSize = 1000;

/** Deletes chunk by chunk, and lets others of this process read between two; answers how many. */
export async function deleteRowsInChunks(
  deleteChunk: (limit: number) => Promise<number>,
): Promise<number> {
  for (let deleted = 0; ; await setImmediate()) {
    const count = await deleteChunk(chunkSize);
    deleted += count;
    if (count < chunkSize) return deleted;
  }
}
