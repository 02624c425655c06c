import { setImmediate } from 'node:timers/promises';

/** Rows per statement: more would block this process for too long. */
const chunkSize = 1000;

/** Deletes in chunks, with other reads of this process in between; returns the number of rows. */
export async function deleteRowsInChunks(
  deleteChunk: (limit: number) => Promise<number>,
): Promise<number> {
  for (let deleted = 0; ; await setImmediate()) {
    const count = await deleteChunk(chunkSize);
    deleted += count;
    if (count < chunkSize) return deleted;
  }
}
