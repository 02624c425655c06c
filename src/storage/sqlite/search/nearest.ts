import { sql } from 'kysely';
import type { NearestVectors, PreloadedVectors } from '../../../core/ports/index.ts';
import type { DbSession, VectorIndex, VectorQuery } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { topNeighbours } from '../../sql/top-neighbours.ts';
import type { FloatCache, LoadedVectors } from '../vectors/float-cache.ts';
import { dotProduct } from '../vectors/quantize.ts';
import { decodeVector, decodeVectors } from '../vectors/segment.ts';
import type { SegmentCache } from '../vectors/segment-cache.ts';
import { createTopK, sortDescending } from '../vectors/top-k.ts';
import { sqliteAggregateJson, sqlitePositionsTable } from './text-index.ts';
import {
  segmentsOf,
  unsegmentedVectors,
  type VectorDatabase,
  withVectorTables,
} from './vector-tables.ts';

/** The caches of the process. */
export type VectorCaches = { segments: SegmentCache; floats: FloatCache };

/** Up to this many vectors are compared directly as floats: no slower than a scan. */
const exactScanMax = 3000;
/** How many of a scan's nearest to compare again, for each wanted result, and at least. */
const rescoreFactor = 5;
const rescoreMin = 50;
/** The most that are compared again; if the filter would drop too many, it is applied first. */
const rescoreMax = 2000;

export async function preloadMatches(
  session: DbSession,
  query: Parameters<VectorIndex['preload']>[1],
  { floats }: VectorCaches,
): Promise<PreloadedVectors | null> {
  if (query.size > exactScanMax) return null;
  const db = withVectorTables(session.db);
  const version = await readDataVersion(db);
  const matches = await findMatches(db, query);
  const keys = matches.map(({ key }) => key);
  await floats.preload(keys, query.dimension, (missing) => loadVectors(session, missing));
  return { version, matches };
}

/** Changes with every commit: a memory may have been deleted or changed. */
async function readDataVersion(db: VectorDatabase): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return rows[0]?.data_version ?? 0;
}

export async function sqliteNearest(
  session: DbSession,
  query: VectorQuery,
  caches: VectorCaches,
): Promise<NearestVectors> {
  const { size, limit, preloaded } = query;
  const db = withVectorTables(session.db);
  const best = (matches: readonly VectorMatch[]) =>
    rankMatches(session, matches, { ...query, caches });
  if (preloaded != null && preloaded.version === (await readDataVersion(db)))
    return best(preloaded.matches);
  if (size <= exactScanMax) return best(await findMatches(db, query));
  const fewest = Math.max(limit * rescoreFactor, rescoreMin);
  const most = Math.max(fewest, rescoreMax);
  const isFew =
    fewest === most || (await estimateSelectivity(db, query)) * fewest < oversampledLimit(limit);
  const counts = isFew ? [most] : [fewest, most];
  for (const count of counts) {
    const keys = await scanSegments(db, query, { cache: caches.segments, count, allowed: null });
    const matches = await findEnoughMatches(db, query, { keys, atOnce: fewest });
    if (matches.length >= oversampledLimit(limit) || keys.length < count) return best(matches);
  }
  const matches = await findMatches(db, query);
  const allowed = new Set(matches.map(({ key }) => key));
  const keys = await scanSegments(db, query, { cache: caches.segments, count: fewest, allowed });
  return best(await findMatchesByKey(db, query, keys));
}

/** Bytes give the order only roughly: vectors just below the limit may belong above it. */
function oversampledLimit(limit: number): number {
  return limit + Math.max(10, Math.ceil(limit / 2));
}

/** The number of memories in a sample that estimates the share a filter passes. */
const sampleSize = 100;

/**
 * Estimates the share of memories that pass the filter from the newest ones. This avoids scans of a
 * million vectors whose nearest would be dropped. The result does not depend on it.
 */
async function estimateSelectivity(
  db: VectorDatabase,
  { project, where }: VectorQuery,
): Promise<number> {
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

type RescoreOptions = { keys: readonly number[]; atOnce: number };

/** Takes the matches among the scan's nearest, doubling the number until there are enough. */
async function findEnoughMatches(
  db: VectorDatabase,
  query: VectorQuery,
  { keys, atOnce }: RescoreOptions,
): Promise<VectorMatch[]> {
  const matches: VectorMatch[] = [];
  for (let from = 0, to = atOnce; from < keys.length; [from, to] = [to, 2 * to]) {
    matches.push(...(await findMatchesByKey(db, query, keys.slice(from, to))));
    if (matches.length >= oversampledLimit(query.limit)) break;
  }
  return matches;
}

type SegmentScan = { cache: SegmentCache; count: number; allowed: ReadonlySet<number> | null };

/** Keys of the vectors that may be nearest: at least `count`, if there are as many. */
async function scanSegments(
  db: VectorDatabase,
  query: VectorQuery,
  options: SegmentScan,
): Promise<number[]> {
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
    const newest = await unsegmentedVectors(db, query).execute();
    const topK = createTopK(count);
    for (const row of newest) {
      if (allowed === null || allowed.has(row.key)) {
        topK.add(row.key, dotProduct(vector, decodeVector(row.vector)));
      }
    }
    const keys = segments.map(({ key }) => key);
    // Restarted if somebody has replaced a segment in the meantime, which is rare.
    if (await cache.scan(keys, { vector, topK, allowed, load })) {
      return sortDescending(topK.entries()).map(({ key }) => key);
    }
  }
}

/** The key of a vector, and the position of its memory. */
type VectorMatch = PreloadedVectors['matches'][number];

/**
 * Memories of the selection that have a vector, as two texts: a row for each would cost more than
 * finding it. The cross join fixes the order of the tables: memories, then vectors.
 */
async function findMatches(
  db: VectorDatabase,
  { project, space, where }: Pick<VectorQuery, 'project' | 'space' | 'where'>,
): Promise<VectorMatch[]> {
  const { keys, positions } = await db
    .selectFrom('memories')
    .crossJoin('vectors')
    .select([
      sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
      sqliteAggregateJson(sql.ref('memories.position')).as('positions'),
    ])
    .where('memories.project_key', '=', project.key)
    .where(where)
    .whereRef('vectors.position', '=', 'memories.position')
    .where('vectors.model_key', '=', space)
    .executeTakeFirstOrThrow();
  return toMatches({ keys, positions });
}

type MatchLists = { keys: string | null; positions: string | null };

function toMatches({ keys, positions }: MatchLists): VectorMatch[] {
  const among = fromJson<number[]>(positions ?? '[]');
  return fromJson<number[]>(keys ?? '[]').map((key, index) => {
    return { key, position: among[index] ?? 0 };
  });
}

/** The reverse: vectors by key, then their memories. */
function findMatchesByKey(
  db: VectorDatabase,
  query: VectorQuery,
  keys: readonly number[],
): Promise<VectorMatch[]> {
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

export async function sqliteSimilarities(
  session: DbSession,
  { space, vector, positions }: Parameters<VectorIndex['similarities']>[1],
  { floats }: VectorCaches,
): Promise<Map<number, number>> {
  const wanted = { space, positions: JSON.stringify(positions) };
  const matches = (await findKeysAtPositions(session, wanted)).flatMap(toMatches);
  return computeSimilarities(session, matches, { vector, floats });
}

const findKeysAtPositions = prepareStatement(
  (db, value: StatementParameters<{ space: number; positions: string }>) =>
    withVectorTables(db)
      .selectFrom(sqlitePositionsTable(value('positions')).as('wanted'))
      .crossJoin('vectors')
      .select([
        sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
        sqliteAggregateJson(sql.ref('vectors.position')).as('positions'),
      ])
      .whereRef('vectors.position', '=', 'wanted.position')
      .where('vectors.model_key', '=', value('space')),
);

async function rankMatches(
  session: DbSession,
  matches: readonly VectorMatch[],
  { vector, limit, caches: { floats } }: VectorQuery & { caches: VectorCaches },
): Promise<NearestVectors> {
  const compared = await computeSimilarities(session, matches, { vector, floats });
  return { neighbours: topNeighbours(compared, limit), compared };
}

/** The similarities of the matches whose vectors still exist, by position. */
async function computeSimilarities(
  session: DbSession,
  matches: readonly VectorMatch[],
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

async function loadVectors(session: DbSession, wanted: readonly number[]): Promise<LoadedVectors> {
  const [row] = await readVectors(session, { keys: JSON.stringify(wanted) });
  const keys = fromJson<number[]>(row?.keys ?? '[]');
  return { keys, numbers: decodeVectors(row?.vectors ?? new Uint8Array(), keys.length) };
}

/**
 * All vectors as one blob: one blob each takes the driver as long as reading it. SQLite
 * concatenates blobs as text, byte by byte, and a cast turns the result into a blob.
 */
const readVectors = prepareStatement((db, value: StatementParameters<{ keys: string }>) =>
  withVectorTables(db)
    .selectFrom(sqlitePositionsTable(value('keys')).as('wanted'))
    .crossJoin('vectors')
    .select([
      sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
      sql<Uint8Array | null>`cast(group_concat(vectors.vector, '') as blob)`.as('vectors'),
    ])
    .whereRef('vectors.key', '=', 'wanted.position'),
);

function isAmong(column: string, numbers: readonly number[]) {
  const list = JSON.stringify(numbers);
  return sql<boolean>`${sql.ref(column)} in (select value from json_each(${list}))`;
}
