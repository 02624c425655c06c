import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from '../../core/ports/index.ts';
import { readMeta } from '../tables/meta.ts';
import type { Database, Engine } from './dialect.ts';
import { type IndexSegment, type IndexStructure, readStructure } from './sqlite-index-structure.ts';
import { rest } from './upkeep.ts';

export type KeepOptions = {
  log: Logger;
  signal: AbortSignal;
  /** Memories that segments with many deleted ones must hold, for a merge to be worth it. */
  least?: number;
  now?: () => number;
};

/** Below this a search takes a millisecond or two longer. */
const leastEntries = 20_000;

/**
 * Deleted ones of a segment from which on they count. They do harm by lying side by side, as those
 * of one conversation do: the table that they are looked up in is then one long run.
 */
const leastDeleted = 64;

/** Pages of a step, about 5 ms: FTS5 ends between two words, a word of all memories is one step. */
const pagesOfStep = 16;

/** Others have the lock and this thread for most of the time. */
const pauseMinMs = 10;
const pausePerMs = 4;

/** Who has been away for so long has been killed, or sleeps with its machine. */
const leaseMs = 10_000;

/** A merge writes the index anew, so that who always deletes does not have it always written. */
const restPerMs = 500;
const restMaxMs = 60 * 60_000;

/**
 * Where FTS5 looks every match up among what was deleted, merges the index in many short steps: the
 * new one holds nothing deleted. One process at a time does it; what one has left undone, by being
 * stopped or killed, the next goes on with. Answers whether it has merged to the end.
 */
export async function keepIndex(
  { reader, write }: Pick<Engine, 'reader' | 'write'>,
  { log, signal, least = leastEntries, now = Date.now }: KeepOptions,
): Promise<boolean> {
  if (signal.aborted) return false;
  const worn = wornOf(await readStructure(reader.db));
  const entries = worn.reduce((sum, segment) => sum + segment.entries, 0);
  if (worn.length === 0 || entries < least) return false;
  const owner = randomUUID();
  let workedMs = 0;
  while (!signal.aborted) {
    let tookMs = 0;
    const outcome = await write(async ({ db }) => {
      const began = performance.now();
      if (!(await mayKeep(db, { owner, now: now() }))) return 'taken';
      const isDone = await mergeOn(db, worn);
      tookMs = performance.now() - began;
      const heldMs = isDone ? Math.min(restMaxMs, (workedMs + tookMs) * restPerMs) : leaseMs;
      await putLease(db, { owner: isDone ? '' : owner, until: now() + heldMs });
      return isDone ? 'done' : 'more';
    });
    workedMs += tookMs;
    if (outcome === 'taken') return false;
    if (outcome === 'done') {
      log('info', 'merged the index of words', { memories: entries, ms: Math.round(workedMs) });
      return true;
    }
    await rest(Math.max(pauseMinMs, tookMs * pausePerMs), signal);
  }
  return false;
}

function wornOf({ segments }: IndexStructure): IndexSegment[] {
  return segments.filter(({ deleted }) => deleted >= leastDeleted);
}

/** True when nothing is left of these segments. New ones may be worn again: for another time. */
async function mergeOn(db: Database, worn: readonly IndexSegment[]): Promise<boolean> {
  const before = await readStructure(db);
  if (!holdsAny(before, worn)) return true;
  // FTS5's own words: a positive number goes on with a merge, a negative one begins one of all.
  await merge(db, before.isMerging ? pagesOfStep : -pagesOfStep);
  let after = await readStructure(db);
  if (after.state === before.state) {
    // A merge of few segments waits while there are as many new ones. They join it.
    await merge(db, -pagesOfStep);
    after = await readStructure(db);
  }
  return !holdsAny(after, worn);
}

function holdsAny({ segments }: IndexStructure, worn: readonly IndexSegment[]): boolean {
  return segments.some(({ name }) => worn.some((other) => other.name === name));
}

async function merge(db: Database, pages: number): Promise<void> {
  await sql`insert into memory_index (memory_index, rank) values ('merge', ${pages})`.execute(db);
}

/** Who merges, or nobody while the index rests, and until when. */
type Lease = { owner: string; until: number };

export const indexLease = 'index_upkeep';

async function mayKeep(db: Database, { owner, now }: { owner: string; now: number }) {
  const value = await readMeta(db, indexLease);
  if (value === null) return true;
  const lease: Lease = JSON.parse(value); // as `putLease` wrote it
  // A clock that was put back would have everybody wait for long.
  return lease.owner === owner || lease.until <= now || lease.until > now + restMaxMs;
}

async function putLease(db: Database, lease: Lease): Promise<void> {
  const value = JSON.stringify(lease);
  await db
    .insertInto('meta')
    .values({ key: indexLease, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
