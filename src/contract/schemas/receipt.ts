import * as z from 'zod';

const RowCounts = z.record(z.string(), z.int());

/**
 * What an erasure removed: rows deleted or emptied, by table and index. `remaining` is what a
 * second pass over all of them still found, and empty if nothing is left; `outside` names what
 * mneme cannot reach.
 */
export const Receipt = z.object({
  removed: RowCounts,
  remaining: RowCounts,
  outside: z.array(z.string()),
  checked_at: z.string(),
});
export type Receipt = z.output<typeof Receipt>;
