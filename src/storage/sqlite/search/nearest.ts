import { sql } from 'kysely';
import type { NearestVectors, PreloadedVectors } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, DbSession, VectorIndex, VectorQuery } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { topNeighbours } from '../../sql/top-neighbours.ts';
import { prepareForSelection } from '../../tables/search/selection-statement.ts';
import type { FloatCache, LoadVectors } from '../vectors/float-cache.ts';
import { decodeVectors, encodedBytes } from '../vectors/segment.ts';
import type { SegmentCache } from '../vectors/segment-cache.ts';
import { createTopK, sortDescending } from '../vectors/top-k.ts';
import { sqliteAggregateJson, sqlitePositionsTable } from './text-index.ts';
import {
  type ModelInProject,
  segmentsOf,
  unsegmentedVectors,
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
  at: DbContext,
  query: Parameters<VectorIndex['preload']>[1],
  { floats }: VectorCaches,
): Promise<PreloadedVectors | null> {
  if (query.size > exactScanMax) return null;
  const version = await readDataVersion(at.db);
  const matches = await listMatches(at, query);
  const keys = matches.map(({ key }) => key);
  await floats.preload(keys, query.dimension, loaderOf(at, query.dimension));
  return { version, matches };
}

/** Changes with every commit: a memory may have been deleted or changed. */
async function readDataVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return rows[0]?.data_version ?? 0;
}

export async function sqliteNearest(
  at: DbContext,
  query: VectorQuery,
  caches: VectorCaches,
): Promise<NearestVectors> {
  const { size, limit, preloaded } = query;
  const best = (matches: readonly VectorMatch[]) => rankMatches(at, matches, { ...query, caches });
  if (preloaded != null && preloaded.version === (await readDataVersion(at.db)))
    return best(preloaded.matches);
  if (size <= exactScanMax) return best(await listMatches(at, query));
  const fewest = Math.max(limit * rescoreFactor, rescoreMin);
  const most = Math.max(fewest, rescoreMax);
  const isFew =
    fewest === most || (await estimateShare(at, query)) * fewest < oversampledLimit(limit);
  const counts = isFew ? [most] : [fewest, most];
  for (const count of counts) {
    const keys = await scanSegments(at, query, { caches, count, allowed: null });
    const matches = await findEnoughMatches(at, query, { keys, atOnce: fewest / 2 });
    if (matches.length >= oversampledLimit(limit) || keys.length < count) return best(matches);
  }
  const allowed = new Set((await listMatches(at, query)).map(({ key }) => key));
  const keys = await scanSegments(at, query, { caches, count: fewest, allowed });
  return best(await listMatchesByKey(at, query, keys));
}

/** Bytes give the order only roughly: vectors just below the limit may belong above it. */
function oversampledLimit(limit: number): number {
  return limit + Math.max(10, Math.ceil(limit / 2));
}

/** The number of memories in a sample that estimates the share a filter passes. */
const sampleSize = 100;
/** Of fewer vectors a second scan costs less than the sample. */
const sampledMin = 50_000;

/**
 * Estimates the share of memories that pass the filter, at most as many as its owners have. Of many
 * memories the newest ones say more: this avoids scans of a million vectors whose nearest would be
 * dropped. The result does not depend on it.
 */
async function estimateShare(at: DbContext, query: VectorQuery): Promise<number> {
  const { project, space, selection, size } = query;
  const segments = await listSegments(at, { project_key: project.key, space });
  const vectors = segments.reduce((sum, { count }) => sum + count, 0);
  if (vectors < sampledMin) return size / Math.max(size, vectors);
  const [row] = await countInSample(at, { project, selection }, { project_key: project.key });
  return (row?.count ?? 0) / sampleSize;
}

const countInSample = prepareForSelection(
  ({ db, where }, value: StatementParameters<{ project_key: number }>) =>
    db
      .selectFrom(newestOf(db, value('project_key')).as('memories'))
      .select((one) => one.fn.countAll<number>().as('count'))
      .where(where),
);

function newestOf(db: Database, projectKey: number) {
  return db
    .selectFrom('memories')
    .selectAll()
    .where('project_key', '=', projectKey)
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(sampleSize);
}

type RescoreOptions = { keys: readonly number[]; atOnce: number };

/** Takes the matches among the scan's nearest, doubling the number until there are enough. */
async function findEnoughMatches(
  at: DbContext,
  query: VectorQuery,
  { keys, atOnce }: RescoreOptions,
): Promise<VectorMatch[]> {
  const matches: VectorMatch[] = [];
  for (let from = 0, to = atOnce; from < keys.length; [from, to] = [to, 2 * to]) {
    matches.push(...(await listMatchesByKey(at, query, keys.slice(from, to))));
    if (matches.length >= oversampledLimit(query.limit)) break;
  }
  return matches;
}

type SegmentScan = { caches: VectorCaches; count: number; allowed: ReadonlySet<number> | null };

/** Keys of the vectors that may be nearest: at least `count`, if there are as many. */
async function scanSegments(
  at: DbContext,
  { project, space, vector }: VectorQuery,
  { caches, count, allowed }: SegmentScan,
): Promise<number[]> {
  const place = { project_key: project.key, space };
  const load = async (key: number) => (await readSegment(at, { key }))[0];
  for (;;) {
    const segments = await listSegments(at, place);
    const [unsegmented] = await listUnsegmented(at, place);
    const newest = fromJson<number[]>(unsegmented?.keys ?? '[]');
    const near = await caches.floats.compare(vector, newest, loaderOf(at, vector.length));
    const topK = createTopK(count);
    for (const [index, key] of newest.entries()) {
      const similarity = near[index] ?? Number.NaN;
      const isWanted = allowed === null || allowed.has(key);
      if (isWanted && !Number.isNaN(similarity)) topK.add(key, similarity);
    }
    const keys = segments.map(({ key }) => key);
    // Restarted if somebody has replaced a segment in the meantime, which is rare.
    if (await caches.segments.scan(keys, { vector, topK, allowed, load })) {
      return sortDescending(topK.entries()).map(({ key }) => key);
    }
  }
}

const listSegments = prepareStatement((db, value: StatementParameters<VectorPlace>) =>
  segmentsOf(withVectorTables(db), placeOf(value)).select(['key', 'count']).orderBy('key'),
);

/** Their keys alone, which the index of the table holds: the vectors themselves are cached. */
const listUnsegmented = prepareStatement((db, value: StatementParameters<VectorPlace>) => {
  const vectors = unsegmentedVectors(withVectorTables(db), placeOf(value));
  const newest = vectors.clearSelect().select('vectors.key').as('newest');
  return db.selectFrom(newest).select(sqliteAggregateJson(sql.ref('newest.key')).as('keys'));
});

const readSegment = prepareStatement((db, value: StatementParameters<{ key: number }>) =>
  withVectorTables(db)
    .selectFrom('vector_segments')
    .select(['data', 'count'])
    .where('key', '=', value('key')),
);

type VectorPlace = { project_key: number; space: number };

function placeOf(value: StatementParameters<VectorPlace>): ModelInProject {
  return { project: { key: value('project_key') }, space: value('space') };
}

/** The key of a vector, and the position of its memory. */
type VectorMatch = PreloadedVectors['matches'][number];

/** Memories of the selection that have a vector. */
async function listMatches(
  at: DbContext,
  { project, space, selection }: Pick<VectorQuery, 'project' | 'space' | 'selection'>,
): Promise<VectorMatch[]> {
  return (await findMatches(at, { project, selection }, { space })).flatMap(toMatches);
}

/** Those whose vectors have one of these keys. */
async function listMatchesByKey(
  at: DbContext,
  { project, selection }: VectorQuery,
  keys: readonly number[],
): Promise<VectorMatch[]> {
  const wanted = { keys: JSON.stringify(keys) };
  return (await findMatchesByKey(at, { project, selection }, wanted)).flatMap(toMatches);
}

/** As two texts: a row for each match would cost more than finding it. */
const matchLists = [
  sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
  sqliteAggregateJson(sql.ref('vectors.position')).as('positions'),
] as const;

/** The cross join fixes the order of the tables: memories, then vectors. */
const findMatches = prepareForSelection(
  ({ db, where }, value: StatementParameters<{ space: number }>) =>
    withVectorTables(db)
      .selectFrom('memories')
      .crossJoin('vectors')
      .select(matchLists)
      .where(where)
      .whereRef('vectors.position', '=', 'memories.position')
      .where('vectors.model_key', '=', value('space')),
);

/** The reverse: vectors by key, then their memories. */
const findMatchesByKey = prepareForSelection(
  ({ db, where }, value: StatementParameters<{ keys: string }>) =>
    withVectorTables(db)
      .selectFrom(sqlitePositionsTable(value('keys')).as('wanted'))
      .crossJoin('vectors')
      .crossJoin('memories')
      .select(matchLists)
      .whereRef('vectors.key', '=', 'wanted.position')
      .whereRef('memories.position', '=', 'vectors.position')
      .where(where),
);

type MatchLists = { keys: string | null; positions: string | null };

function toMatches({ keys, positions }: MatchLists): VectorMatch[] {
  const among = fromJson<number[]>(positions ?? '[]');
  return fromJson<number[]>(keys ?? '[]').map((key, index) => {
    return { key, position: among[index] ?? 0 };
  });
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
      .select(matchLists)
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
  const near = await floats.compare(vector, keys, loaderOf(session, vector.length));
  const compared = new Map<number, number>();
  for (const [index, { position }] of matches.entries()) {
    const similarity = near[index] ?? Number.NaN;
    if (!Number.isNaN(similarity)) compared.set(position, similarity);
  }
  return compared;
}

function loaderOf(session: DbSession, dimension: number): LoadVectors {
  return async (wanted) => {
    const [row] = await readVectors(session, {
      keys: JSON.stringify(wanted),
      bytes: encodedBytes(dimension),
    });
    const keys = fromJson<number[]>(row?.keys ?? '[]');
    return { keys, numbers: decodeVectors(row?.vectors ?? new Uint8Array(), keys.length) };
  };
}

/**
 * All vectors as one blob: one blob each takes the driver as long as reading it. SQLite
 * concatenates blobs as text, byte by byte, and a cast turns the result into a blob. Others than of
 * this length are of a process that opened the file before its upgrade.
 */
const readVectors = prepareStatement((db, value: StatementParameters<WantedVectors>) =>
  withVectorTables(db)
    .selectFrom(sqlitePositionsTable(value('keys')).as('wanted'))
    .crossJoin('vectors')
    .select([
      sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
      sql<Uint8Array | null>`cast(group_concat(vectors.vector, '') as blob)`.as('vectors'),
    ])
    .whereRef('vectors.key', '=', 'wanted.position')
    .where(sql`length(vectors.vector)`, '=', value('bytes')),
);

type WantedVectors = { keys: string; bytes: number };
