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
  /** Memories that segments with many deleted ones must hold, for a merge to be worth it. */
  least?: number;
  now?: () => number;
};

/** Below this a search takes a millisecond or two longer. */
const minEntries = 20_000;

/**
 * Deleted ones of a segment from which on they count. They do harm by lying side by side, as those
 * of one conversation do: the table that they are looked up in is then one long run.
 */
const minDeleted = 64;

/** Pages of a step, about 5 ms: FTS5 ends between two words, a word of all memories is one step. */
const pagesPerStep = 16;

/** Others have the lock and this thread for most of the time. */
const pauseMinMs = 10;
const pauseFactor = 4;

/** Who has been away for so long has been killed, or sleeps with its machine. */
const leaseMs = 10_000;

/** A merge writes the index anew, so that who always deletes does not have it always written. */
const cooldownFactor = 500;
const cooldownMaxMs = 60 * 60_000;

/**
 * Where FTS5 looks every match up among what was deleted, merges the index in many short steps: the
 * new one holds nothing deleted. One process at a time does it; what one has left undone, by being
 * stopped or killed, the next goes on with. Answers whether it has merged to the end.
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
      log('info', 'merged the keyword index', { memories: entries, ms: Math.round(workedMs) });
      return true;
    }
    await abortableSleep(Math.max(pauseMinMs, tookMs * pauseFactor), signal);
  }
  return false;
}

function segmentsToMerge({ segments }: Fts5Structure): Fts5Segment[] {
  return segments.filter(({ deleted }) => deleted >= minDeleted);
}

/** True when nothing is left of these segments. New ones may be worn again: for another time. */
async function mergeStep(db: Database, worn: readonly Fts5Segment[]): Promise<boolean> {
  const before = await readFts5Structure(db);
  if (!containsAny(before, worn)) return true;
  // FTS5's own words: a positive number goes on with a merge, a negative one begins one of all.
  await merge(db, before.isMerging ? pagesPerStep : -pagesPerStep);
  let after = await readFts5Structure(db);
  if (after.state === before.state) {
    // A merge of few segments waits while there are as many new ones. They join it.
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

/** Who merges, or nobody while the index rests, and until when. */
type MergeLease = { owner: string; until: number };

async function mayTakeLease(db: Database, { owner, now }: { owner: string; now: number }) {
  const value = await readMeta(db, metaKeys.mergeLease);
  if (value === null) return true;
  const lease: MergeLease = JSON.parse(value); // as `storeLease` wrote it
  // A clock that was put back would have everybody wait for long.
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
