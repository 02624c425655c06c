import { sql } from 'kysely';
import type { NearestVectors, PreloadedVectors } from '../../core/ports/index.ts';
import { fromJson } from '../json.ts';
import { prepared, type Values } from '../prepared.ts';
import { createBest, firstOf, sorted } from '../vectors/best.ts';
import type { SegmentCache } from '../vectors/cache.ts';
import type { FloatCache, LoadedVectors } from '../vectors/floats.ts';
import { dot } from '../vectors/quantize.ts';
import { decodeVector } from '../vectors/segment.ts';
import type { Session, VectorIndex, VectorQuery } from './dialect.ts';
import { listOf, positionsTable } from './sqlite-index.ts';
import { segmentsOf, tail, type Vectors, withVectors } from './sqlite-vector-tables.ts';

/** What the process has at hand. */
export type Caches = { segments: SegmentCache; floats: FloatCache };

/** Up to so many vectors are compared one by one, float by float: no slower than a scan. */
const exactMax = 3000;
/** How many of a scan's nearest are looked at, for each that is asked for, and at least. */
const lookedAtEach = 5;
const lookedAtMin = 50;
/** Where the filter may drop too many of these, so many are; then the filter goes first. */
const lookedAtMax = 2000;

export async function gather(
  session: Session,
  query: Parameters<VectorIndex['gather']>[1],
  { floats }: Caches,
): Promise<PreloadedVectors | null> {
  if (query.size > exactMax) return null;
  const db = withVectors(session.db);
  const version = await versionOf(db);
  const matches = await findMatches(db, query);
  const keys = matches.map(({ key }) => key);
  await floats.bring(keys, query.dimension, (missing) => loadVectors(session, missing));
  return { version, matches };
}

/** Differs when anybody has committed anything since: a memory may be gone, or be another now. */
async function versionOf(db: Vectors): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return rows[0]?.data_version ?? 0;
}

export async function nearest(
  session: Session,
  query: VectorQuery,
  caches: Caches,
): Promise<NearestVectors> {
  const { size, limit, gathered } = query;
  const db = withVectors(session.db);
  const best = (matches: readonly Match[]) => bestOf(session, matches, { ...query, caches });
  if (gathered != null && gathered.version === (await versionOf(db))) return best(gathered.matches);
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
type Match = PreloadedVectors['matches'][number];

/**
 * Memories of the selection that have a vector. As two texts: a row for each would cost more than
 * finding it. A cross join keeps the order of the tables: memories, then their vectors.
 */
async function findMatches(
  db: Vectors,
  { project, space, where }: Pick<VectorQuery, 'project' | 'space' | 'where'>,
): Promise<Match[]> {
  const { keys, positions } = await db
    .selectFrom('memories')
    .crossJoin('vectors')
    .select([
      listOf(sql.ref('vectors.key')).as('keys'),
      listOf(sql.ref('memories.position')).as('positions'),
    ])
    .where('memories.project_key', '=', project.key)
    .where(where)
    .whereRef('vectors.position', '=', 'memories.position')
    .where('vectors.space_key', '=', space)
    .executeTakeFirstOrThrow();
  return toMatches({ keys, positions });
}

type Matches = { keys: string | null; positions: string | null };

function toMatches({ keys, positions }: Matches): Match[] {
  const among = fromJson<number[]>(positions ?? '[]');
  return fromJson<number[]>(keys ?? '[]').map((key, index) => {
    return { key, position: among[index] ?? 0 };
  });
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
  session: Session,
  { space, vector, positions }: Parameters<VectorIndex['similarities']>[1],
  { floats }: Caches,
): Promise<Map<number, number>> {
  const wanted = { space, positions: JSON.stringify(positions) };
  const matches = (await findAtPositions(session, wanted)).flatMap(toMatches);
  return compare(session, matches, { vector, floats });
}

const findAtPositions = prepared((db, value: Values<{ space: number; positions: string }>) =>
  withVectors(db)
    .selectFrom(positionsTable(value('positions')).as('wanted'))
    .crossJoin('vectors')
    .select([
      listOf(sql.ref('vectors.key')).as('keys'),
      listOf(sql.ref('vectors.position')).as('positions'),
    ])
    .whereRef('vectors.position', '=', 'wanted.position')
    .where('vectors.space_key', '=', value('space')),
);

async function bestOf(
  session: Session,
  matches: readonly Match[],
  { vector, limit, caches: { floats } }: VectorQuery & { caches: Caches },
): Promise<NearestVectors> {
  const compared = await compare(session, matches, { vector, floats });
  return { neighbours: firstOf(compared, limit), compared };
}

/** How near the matches are, by position, whose vectors are still there. */
async function compare(
  session: Session,
  matches: readonly Match[],
  { vector, floats }: { vector: Float32Array; floats: FloatCache },
): Promise<Map<number, number>> {
  const keys = matches.map(({ key }) => key);
  const near = await floats.compare(vector, keys, (missing) => loadVectors(session, missing));
  const compared = new Map<number, number>();
  for (const [index, { position }] of matches.entries()) {
    const similarity = near[index] ?? Number.NaN;
    if (!Number.isNaN(similarity)) compared.set(position, similarity);
  }
  return compared;
}

async function loadVectors(session: Session, wanted: readonly number[]): Promise<LoadedVectors> {
  const [row] = await readVectors(session, { keys: JSON.stringify(wanted) });
  return {
    keys: fromJson<number[]>(row?.keys ?? '[]'),
    numbers: decodeVector(row?.vectors ?? new Uint8Array()),
  };
}

/**
 * All as one: a blob for each takes the driver as long as reading it. SQLite puts blobs together as
 * if they were texts, byte by byte, and a cast makes those bytes a blob again.
 */
const readVectors = prepared((db, value: Values<{ keys: string }>) =>
  withVectors(db)
    .selectFrom(positionsTable(value('keys')).as('wanted'))
    .crossJoin('vectors')
    .select([
      listOf(sql.ref('vectors.key')).as('keys'),
      sql<Uint8Array | null>`cast(group_concat(vectors.vector, '') as blob)`.as('vectors'),
    ])
    .whereRef('vectors.key', '=', 'wanted.position'),
);

function isAmong(column: string, numbers: readonly number[]) {
  const list = JSON.stringify(numbers);
  return sql<boolean>`${sql.ref(column)} in (select value from json_each(${list}))`;
}
