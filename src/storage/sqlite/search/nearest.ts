import { sql } from 'kysely';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { NearestVectors, PreloadedVectors } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, DbSession, VectorIndex, VectorQuery } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { topNeighbours } from '../../sql/top-neighbours.ts';
import { prepareForSelection } from '../../tables/search/selection-statement.ts';
import type { BlockCache } from '../vectors/block-scan.ts';
import { quantizeQuery } from '../vectors/quantize.ts';
import type { RowCache } from '../vectors/row-cache.ts';
import { createTopK, sortDescending } from '../vectors/top-k.ts';
import { sqliteAggregateJson, sqlitePositionsTable } from './text-index.ts';
import { createBlockReader, createRowReader } from './vector-rows.ts';
import { withVectorTables } from './vector-tables.ts';

/** The caches of the process. */
export type VectorCaches = { blocks: BlockCache; rows: RowCache };

/** Up to this many vectors are compared one by one: no slower than a scan. */
const exactScanMax = 3000;
/** How many of a scan's nearest to look up, for each wanted result, and at least. */
const scanFactor = 5;
const scanMin = 50;
/** The most that are looked up; if the filter would drop too many, it is applied first. */
const scanMax = 2000;

export async function preloadMatches(
  at: DbContext,
  query: Parameters<VectorIndex['preload']>[1],
  { blocks, rows }: VectorCaches,
): Promise<PreloadedVectors | null> {
  const { size, dimension } = query;
  if (size > exactScanMax) return null;
  const version = await readDataVersion(at.db);
  const matches = await listMatches(at, query);
  const name = blockListName(query);
  const keys = matches.map(({ key }) => key).filter((key) => !blocks.has(name, key));
  await rows.preload(keys, dimension, createRowReader(at));
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
  const { size, preloaded, ...comparison } = query;
  if (preloaded != null && preloaded.version === (await readDataVersion(at.db)))
    return rankMatches(at, preloaded.matches, { ...comparison, caches });
  if (size <= exactScanMax)
    return rankMatches(at, await listMatches(at, query), { ...comparison, caches });
  const compared = await scanVectorsOf(at, query, caches);
  return { neighbours: topNeighbours(compared, query.limit), compared };
}

/** The similarities of the nearest matches, by position: of at least `limit`, if there are any. */
async function scanVectorsOf(
  at: DbContext,
  query: VectorQuery,
  { blocks }: VectorCaches,
): Promise<Map<number, number>> {
  const { project, model_key, vector, limit } = query;
  const { length: dimension } = vector;
  const name = blockListName(query);
  const readBlock = createBlockReader(at, { project_key: project.key, model_key });
  const vectors = await blocks.refresh(name, { dimension, read: readBlock });
  const quantized = quantizeQuery(vector);
  const scan = async (count: number, allowed: ReadonlySet<number> | null) => {
    const topK = createTopK(count);
    await blocks.scan(name, { query: quantized, topK, allowed, read: readBlock });
    return sortDescending(topK.entries());
  };
  const remove = (keys: readonly number[]) => blocks.remove(name, keys);
  const fewest = Math.max(limit * scanFactor, scanMin);
  const most = Math.max(fewest, scanMax);
  const isFew = fewest === most || (await estimateShare(at, query, vectors)) * fewest < limit;
  for (const count of isFew ? [most] : [fewest, most]) {
    const nearest = await scan(count, null);
    const compared = await findEnoughMatches(at, query, { nearest, remove });
    if (compared.size >= limit || nearest.length < count) return compared;
  }
  const allowed = new Set((await listMatches(at, query)).map(({ key }) => key));
  const nearest = await scan(fewest, allowed);
  return findEnoughMatches(at, query, { nearest, remove });
}

function blockListName({ project, model_key }: Pick<VectorQuery, 'project' | 'model_key'>): string {
  return `${project.key} ${model_key}`;
}

/** The number of memories in a sample that estimates the share a filter passes. */
const sampleSize = 100;
/** With fewer vectors, a second scan costs less than the sample. */
const sampledMin = 50_000;

/**
 * Estimates the share of memories that pass the filter, at most as many as its owners have. Of many
 * memories the newest ones say more: this avoids scans of a million vectors whose nearest would be
 * dropped. The result does not depend on it.
 */
async function estimateShare(
  at: DbContext,
  { project, selection, size }: VectorQuery,
  vectors: number,
): Promise<number> {
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

type ScanMatching = {
  /** The scan's nearest, in this order. */
  nearest: readonly { key: number; value: number }[];
  /** Gets the keys of vectors that no longer exist. */
  remove: (keys: readonly number[]) => void;
};

/** Takes the matches among the nearest, doubling the number until there are enough. */
async function findEnoughMatches(
  at: DbContext,
  query: VectorQuery,
  { nearest, remove }: ScanMatching,
): Promise<Map<number, number>> {
  const compared = new Map<number, number>();
  for (let from = 0, to = query.limit; from < nearest.length; [from, to] = [to, 2 * to]) {
    const values = new Map(nearest.slice(from, to).map(({ key, value }) => [key, value]));
    for (const { key, position } of await listExisting(at, query, [...values.keys()])) {
      const value = values.get(key) ?? 0;
      values.delete(key);
      if (position !== null) compared.set(position, value);
    }
    if (values.size > 0) remove([...values.keys()]);
    if (compared.size >= query.limit) break;
  }
  return compared;
}

/** The key of a vector, and the position of its memory. */
type VectorMatch = PreloadedVectors['matches'][number];

/** Memories of the selection that have a vector. */
async function listMatches(
  at: DbContext,
  { project, model_key, selection }: Pick<VectorQuery, 'project' | 'model_key' | 'selection'>,
): Promise<VectorMatch[]> {
  return (await findMatches(at, { project, selection }, { model_key })).flatMap(toMatches);
}

/** The keys that exist; the position is null if the memory is outside the selection. */
async function listExisting(
  at: DbContext,
  { project, selection }: VectorQuery,
  keys: readonly number[],
): Promise<(StrictOmit<VectorMatch, 'position'> & { position: number | null })[]> {
  const parameters = { keys: JSON.stringify(keys) };
  const [matches] = await findExisting(at, { project, selection }, parameters);
  const among = fromJson<(number | null)[]>(matches?.positions ?? '[]');
  return fromJson<number[]>(matches?.keys ?? '[]').map((key, index) => {
    return { key, position: among[index] ?? null };
  });
}

/** As two texts: a row for each match would cost more than finding it. */
const matchLists = [
  sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
  sqliteAggregateJson(sql.ref('vectors.position')).as('positions'),
] as const;

/** The cross join fixes the order of the tables: memories, then vectors. */
const findMatches = prepareForSelection(
  ({ db, where }, value: StatementParameters<{ model_key: number }>) =>
    withVectorTables(db)
      .selectFrom('memories')
      .crossJoin('vectors')
      .select(matchLists)
      .where(where)
      .whereRef('vectors.position', '=', 'memories.position')
      .where('vectors.model_key', '=', value('model_key')),
);

/** The reverse: vectors by key, then their memories. */
const findExisting = prepareForSelection(
  ({ db, where }, value: StatementParameters<{ keys: string }>) =>
    withVectorTables(db)
      .selectFrom(sqlitePositionsTable(value('keys')).as('wanted'))
      .crossJoin('vectors')
      .leftJoin('memories', (join) =>
        join.onRef('memories.position', '=', 'vectors.position').on(where),
      )
      .select([
        sqliteAggregateJson(sql.ref('vectors.key')).as('keys'),
        sqliteAggregateJson(sql.ref('memories.position')).as('positions'),
      ])
      .whereRef('vectors.key', '=', 'wanted.position'),
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
  { project, model_key, vector, positions }: Parameters<VectorIndex['similarities']>[1],
  caches: VectorCaches,
): Promise<Map<number, number>> {
  const parameters = { model_key, positions: JSON.stringify(positions) };
  const matches = (await findKeysAtPositions(session, parameters)).flatMap(toMatches);
  return computeSimilarities(session, matches, { project, model_key, vector, caches });
}

const findKeysAtPositions = prepareStatement(
  (db, value: StatementParameters<{ model_key: number; positions: string }>) =>
    withVectorTables(db)
      .selectFrom(sqlitePositionsTable(value('positions')).as('wanted'))
      .crossJoin('vectors')
      .select(matchLists)
      .whereRef('vectors.position', '=', 'wanted.position')
      .where('vectors.model_key', '=', value('model_key')),
);

type Comparison = Pick<VectorQuery, 'project' | 'model_key' | 'vector'> & { caches: VectorCaches };

async function rankMatches(
  session: DbSession,
  matches: readonly VectorMatch[],
  { limit, ...comparison }: Comparison & { limit: number },
): Promise<NearestVectors> {
  const compared = await computeSimilarities(session, matches, comparison);
  return { neighbours: topNeighbours(compared, limit), compared };
}

/** The similarities of the matches whose vectors still exist, by position. */
async function computeSimilarities(
  session: DbSession,
  matches: readonly VectorMatch[],
  { vector, caches: { blocks, rows }, ...place }: Comparison,
): Promise<Map<number, number>> {
  const keys = matches.map(({ key }) => key);
  const query = quantizeQuery(vector);
  const name = blockListName(place);
  const near = await rows.compare(query, keys, {
    read: createRowReader(session),
    known: (key) => blocks.compare(name, query, key),
  });
  const compared = new Map<number, number>();
  for (const [index, { position }] of matches.entries()) {
    const similarity = near[index] ?? Number.NaN;
    if (!Number.isNaN(similarity)) compared.set(position, similarity);
  }
  return compared;
}
