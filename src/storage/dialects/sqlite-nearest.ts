import { sql } from 'kysely';
import type { Neighbour } from '../../core/ports.ts';
import { createBest, sorted } from '../vectors/best.ts';
import type { SegmentCache } from '../vectors/cache.ts';
import type { FloatCache, LoadVectors } from '../vectors/floats.ts';
import { dot } from '../vectors/quantize.ts';
import { decodeVector } from '../vectors/segment.ts';
import type { VectorIndex, VectorQuery } from './dialect.ts';
import { segmentsOf, tail, type Vectors } from './sqlite-vector-tables.ts';

/** What the process has at hand. */
export type Caches = { segments: SegmentCache; floats: FloatCache };

/** Up to so many vectors are compared one by one, float by float: no slower than a scan. */
const exactMax = 3000;
/** How many of a scan's nearest are looked at, for each that is asked for, and at least. */
const lookedAtEach = 5;
const lookedAtMin = 50;
/** Where the filter may drop too many of these, so many are; then the filter goes first. */
const lookedAtMax = 2000;

export async function nearest(
  db: Vectors,
  query: VectorQuery,
  caches: Caches,
): Promise<Neighbour[]> {
  const { size, limit } = query;
  const best = (matches: readonly Match[]) => bestOf(db, matches, { ...query, caches });
  if (size <= exactMax) return best(await findMatches(db, query));
  const fewest = Math.max(limit * lookedAtEach, lookedAtMin);
  const most = Math.max(fewest, lookedAtMax);
  const isFew = fewest === most || (await passes(db, query)) * fewest < enoughFor(limit);
  const counts = isFew ? [most] : [fewest, most];
  for (const count of counts) {
    const keys = await scan(db, query, { cache: caches.segments, count, allowed: null });
    const matches = await firstMatches(db, query, { keys, atOnce: fewest });
    if (matches.length >= enoughFor(limit) || keys.length < count) return best(matches);
  }
  const matches = await findMatches(db, query);
  const allowed = new Set(matches.map(({ key }) => key));
  const keys = await scan(db, query, { cache: caches.segments, count: fewest, allowed });
  return best(await matchesAmong(db, query, keys));
}

/** Bytes know the order nearly: whoever is near the last place may belong before it. */
function enoughFor(limit: number): number {
  return limit + Math.max(10, Math.ceil(limit / 2));
}

/** Memories by which is guessed what part of all passes a filter. */
const sampleSize = 100;

/**
 * What part of the newest memories the filter lets pass: a guess that saves a scan of a million
 * vectors whose nearest it would drop. Answers are the same whatever is guessed.
 */
async function passes(db: Vectors, { project, where }: VectorQuery): Promise<number> {
  const sample = db
    .selectFrom('memories')
    .selectAll()
    .where('project_key', '=', project.key)
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(sampleSize);
  const { count } = await db
    .selectFrom(sample.as('memories'))
    .select((one) => one.fn.countAll<number>().as('count'))
    .where(where)
    .executeTakeFirstOrThrow();
  return count / sampleSize;
}

type Looked = { keys: readonly number[]; atOnce: number };

/** Matches of a scan's nearest, twice as many at each step, until there are enough. */
async function firstMatches(
  db: Vectors,
  query: VectorQuery,
  { keys, atOnce }: Looked,
): Promise<Match[]> {
  const matches: Match[] = [];
  for (let from = 0, to = atOnce; from < keys.length; [from, to] = [to, 2 * to]) {
    matches.push(...(await matchesAmong(db, query, keys.slice(from, to))));
    if (matches.length >= enoughFor(query.limit)) break;
  }
  return matches;
}

type Scan = { cache: SegmentCache; count: number; allowed: ReadonlySet<number> | null };

/** Keys of vectors that may be the nearest: at least `count` of them, where there are. */
async function scan(db: Vectors, query: VectorQuery, options: Scan): Promise<number[]> {
  const { cache, count, allowed } = options;
  const { vector } = query;
  const load = (segment: number) =>
    db
      .selectFrom('vector_segments')
      .select(['data', 'count'])
      .where('key', '=', segment)
      .executeTakeFirst();
  for (;;) {
    const segments = await segmentsOf(db, query).select('key').orderBy('key').execute();
    const newest = await tail(db, query).execute();
    const found = createBest(count);
    for (const row of newest) {
      if (allowed === null || allowed.has(row.key)) {
        found.add(row.key, dot(vector, decodeVector(row.vector)));
      }
    }
    const keys = segments.map(({ key }) => key);
    // Begun anew where somebody has replaced a segment meanwhile, which happens seldom.
    if (await cache.scan(keys, { vector, found, allowed, load })) {
      return sorted(found.kept()).map(({ key }) => key);
    }
  }
}

/** A vector's key, and the position of its memory. */
type Match = { key: number; position: number };

/**
 * Memories of the selection that have a vector. As two texts: a row for each would cost more than
 * finding it. A cross join keeps the order of the tables: memories, then their vectors.
 */
async function findMatches(db: Vectors, { project, space, where }: VectorQuery): Promise<Match[]> {
  const { keys, positions } = await db
    .selectFrom('memories')
    .crossJoin('vectors')
    .select([
      sql<string | null>`group_concat(vectors.key)`.as('keys'),
      sql<string | null>`group_concat(memories.position)`.as('positions'),
    ])
    .where('memories.project_key', '=', project.key)
    .where(where)
    .whereRef('vectors.position', '=', 'memories.position')
    .where('vectors.space_key', '=', space)
    .executeTakeFirstOrThrow();
  const among = numbersOf(positions);
  return numbersOf(keys).map((key, index) => ({ key, position: among[index] ?? 0 }));
}

function numbersOf(text: string | null): number[] {
  return text === null ? [] : text.split(',').map(Number);
}

/** The other way round: vectors by key, then their memories. */
function matchesAmong(db: Vectors, query: VectorQuery, keys: readonly number[]): Promise<Match[]> {
  const { project, where } = query;
  return db
    .selectFrom('vectors')
    .crossJoin('memories')
    .select(['vectors.key', 'memories.position'])
    .where(isAmong('vectors.key', keys))
    .whereRef('memories.position', '=', 'vectors.position')
    .where('memories.project_key', '=', project.key)
    .where(where)
    .execute();
}

export async function similarities(
  db: Vectors,
  { space, vector, positions }: Parameters<VectorIndex['similarities']>[1],
  { floats }: Caches,
): Promise<Map<number, number>> {
  const matches = await db
    .selectFrom('vectors')
    .select(['key', 'position'])
    .where(isAmong('position', positions))
    .where('space_key', '=', space)
    .execute();
  const scored = await compare(db, matches, { vector, floats });
  return new Map(scored.map(({ position, similarity }) => [position, similarity]));
}

async function bestOf(
  db: Vectors,
  matches: readonly Match[],
  { vector, limit, caches: { floats } }: VectorQuery & { caches: Caches },
): Promise<Neighbour[]> {
  const scored = await compare(db, matches, { vector, floats });
  const best = scored
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position)
    .slice(0, limit);
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'position'])
    .where(
      isAmong(
        'position',
        best.map(({ position }) => position),
      ),
    )
    .execute();
  const ids = new Map(rows.map(({ id, position }) => [position, id]));
  return best.flatMap((one) => {
    const id = ids.get(one.position);
    return id === undefined ? [] : [{ id, ...one }];
  });
}

type Compared = { position: number; similarity: number };

async function compare(
  db: Vectors,
  matches: readonly Match[],
  { vector, floats }: { vector: Float32Array; floats: FloatCache },
): Promise<Compared[]> {
  const load: LoadVectors = (keys) =>
    db.selectFrom('vectors').select(['key', 'vector']).where(isAmong('key', keys)).execute();
  const vectors = await floats.get(
    matches.map(({ key }) => key),
    load,
  );
  return matches.flatMap(({ position }, index) => {
    const stored = vectors[index];
    return stored === undefined ? [] : [{ position, similarity: dot(vector, stored) }];
  });
}

function isAmong(column: string, numbers: readonly number[]) {
  const list = JSON.stringify(numbers);
  return sql<boolean>`${sql.ref(column)} in (select value from json_each(${list}))`;
}
