import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from '../../../core/ports/index.ts';
import type { Database, DatabaseEngine } from '../../sql/dialect.ts';
import { abortableSleep } from '../../sql/periodic-task.ts';
import { metaKeys } from '../../sql/schema/meta-keys.ts';
import { readMeta } from '../../tables/system/meta.ts';
import { type Fts5Segment, type Fts5Structure, readFts5Structure } from './fts5-structure.ts';

export type Fts5MergeOptions = {
  log: Logger;
  signal: AbortSignal;
  /** How many memories the worn segments must have for a merge to be worthwhile. */
  least?: number;
  now?: () => number;
};

/** Below this, deleted rows cost a search only a millisecond or two. */
const minEntries = 20_000;

/**
 * From this many deleted memories, a segment counts as worn. They do harm if they are adjacent, as
 * those of one conversation are: FTS5's table of them is then one long run.
 */
const minDeleted = 64;

/** Pages per step, about 5 ms. FTS5 stops between two words; a word of all memories is one step. */
const pagesPerStep = 16;

/** Most of the time, the lock and this thread are free for others. */
const pauseMinMs = 10;
const pauseFactor = 4;

/** A process that has not renewed for so long was killed, or its machine sleeps. */
const leaseMs = 10_000;

/** A merge rewrites the index; this keeps frequent deletes from rewriting it constantly. */
const cooldownFactor = 500;
const cooldownMaxMs = 60 * 60_000;

/**
 * Merges the index in many short steps if FTS5 checks matches against deleted rows: the new segment
 * has none. One process at a time; if it is stopped or killed, the next one continues. Returns
 * whether the merge is complete.
 */
export async function mergeFts5Index(
  { reader, write }: Pick<DatabaseEngine, 'reader' | 'write'>,
  { log, signal, least = minEntries, now = Date.now }: Fts5MergeOptions,
): Promise<boolean> {
  if (signal.aborted) return false;
  const worn = segmentsToMerge(await readFts5Structure(reader.db));
  const entries = worn.reduce((sum, segment) => sum + segment.entries, 0);
  if (worn.length === 0 || entries < least) return false;
  const owner = randomUUID();
  let workedMs = 0;
  while (!signal.aborted) {
    let tookMs = 0;
    const outcome = await write(async ({ db }) => {
      const began = performance.now();
      if (!(await mayTakeLease(db, { owner, now: now() }))) return 'taken';
      const isDone = await mergeStep(db, worn);
      tookMs = performance.now() - began;
      const heldMs = isDone
        ? Math.min(cooldownMaxMs, (workedMs + tookMs) * cooldownFactor)
        : leaseMs;
      await storeLease(db, { owner: isDone ? '' : owner, until: now() + heldMs });
      return isDone ? 'done' : 'more';
    });
    workedMs += tookMs;
    if (outcome === 'taken') return false;
    if (outcome === 'done') {
      log('info', 'keyword index merged', { memories: entries, ms: Math.round(workedMs) });
      return true;
    }
    await abortableSleep(Math.max(pauseMinMs, tookMs * pauseFactor), signal);
  }
  return false;
}

function segmentsToMerge({ segments }: Fts5Structure): Fts5Segment[] {
  return segments.filter(({ deleted }) => deleted >= minDeleted);
}

/**
 * True if none of these segments is left. New ones may be worn too: they wait for the next merge.
 */
async function mergeStep(db: Database, worn: readonly Fts5Segment[]): Promise<boolean> {
  const before = await readFts5Structure(db);
  if (!containsAny(before, worn)) return true;
  // In FTS5, a positive number continues a merge, and a negative one begins one of all segments.
  await merge(db, before.isMerging ? pagesPerStep : -pagesPerStep);
  let after = await readFts5Structure(db);
  if (after.state === before.state) {
    // A merge of few segments waits until there are as many new ones, which join it.
    await merge(db, -pagesPerStep);
    after = await readFts5Structure(db);
  }
  return !containsAny(after, worn);
}

function containsAny({ segments }: Fts5Structure, worn: readonly Fts5Segment[]): boolean {
  return segments.some(({ name }) => worn.some((other) => other.name === name));
}

async function merge(db: Database, pages: number): Promise<void> {
  await sql`insert into memory_fts (memory_fts, rank) values ('merge', ${pages})`.execute(db);
}

/** Which process merges, or nobody during the cooldown, and until when. */
type MergeLease = { owner: string; until: number };

async function mayTakeLease(db: Database, { owner, now }: { owner: string; now: number }) {
  const value = await readMeta(db, metaKeys.mergeLease);
  if (value === null) return true;
  const lease: MergeLease = JSON.parse(value); // `storeLease` wrote it
  // If the clock was set back, everyone would wait for long.
  return lease.owner === owner || lease.until <= now || lease.until > now + cooldownMaxMs;
}

async function storeLease(db: Database, lease: MergeLease): Promise<void> {
  const value = JSON.stringify(lease);
  await db
    .insertInto('meta')
    .values({ key: metaKeys.mergeLease, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
