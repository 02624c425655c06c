import { sql } from 'kysely';
import type { Neighbour } from '../../core/ports.ts';
import { createBest } from '../vectors/best.ts';
import type { SegmentCache } from '../vectors/cache.ts';
import { dot } from '../vectors/quantize.ts';
import { decodeVector } from '../vectors/segment.ts';
import type { VectorIndex, VectorQuery } from './dialect.ts';
import { segmentsOf, tail, type Vectors } from './sqlite-vector-tables.ts';

/** Up to so many vectors are compared one by one, float by float: no slower than a scan. */
const exactMax = 3000;
/** How many of a scan's nearest are compared exactly, for each that is asked for, and at least. */
const rescoredEach = 5;
const rescoredMin = 50;
/** While the filter drops too many of these, more are taken; beyond this the filter goes first. */
const rescoredMax = 2000;

export async function nearest(
  db: Vectors,
  query: VectorQuery,
  cache: SegmentCache,
): Promise<Neighbour[]> {
  const { size, limit } = query;
  if (size <= exactMax) return best(await matching(db, query).execute(), query);
  const scan = await scanner(db, query, cache);
  for (let count = Math.max(limit * rescoredEach, rescoredMin); count <= rescoredMax; count *= 6) {
    const keys = await scan(count, null);
    const found = best(await matchingKeys(db, query, keys).execute(), query);
    if (found.length === limit || keys.length < count) return found;
  }
  const matches = await matching(db, query).clearSelect().select('vectors.key').execute();
  const allowed = new Set(matches.map(({ key }) => key));
  const keys = await scan(Math.max(limit * rescoredEach, rescoredMin), allowed);
  return best(await matchingKeys(db, query, keys).execute(), query);
}

type Scan = (count: number, allowed: ReadonlySet<number> | null) => Promise<number[]>;

/** Answers keys of vectors that may be the nearest: at least `count` of them, where there are. */
async function scanner(db: Vectors, query: VectorQuery, cache: SegmentCache): Promise<Scan> {
  const { vector } = query;
  const segments = await segmentsOf(db, query).select('key').orderBy('key').execute();
  const newest = await tail(db, query).execute();
  const load = (segment: number) =>
    db
      .selectFrom('vector_segments')
      .select(['data', 'count'])
      .where('key', '=', segment)
      .executeTakeFirst();
  return async (count, allowed) => {
    const found = createBest(count);
    for (const row of newest) {
      if (allowed === null || allowed.has(row.key)) {
        found.add(row.key, dot(vector, decodeVector(row.vector)));
      }
    }
    const options = { vector, found, allowed, load };
    await cache.scan(
      segments.map(({ key }) => key),
      options,
    );
    return found.sorted().map(({ key }) => key);
  };
}

/** A cross join keeps the order of the tables: memories of the selection, then their vectors. */
function matching(db: Vectors, { project, space, where }: VectorQuery) {
  return db
    .selectFrom('memories')
    .crossJoin('vectors')
    .select(['vectors.key', 'memories.id', 'memories.position', 'vectors.vector'])
    .where('memories.project_key', '=', project.key)
    .where(where)
    .whereRef('vectors.position', '=', 'memories.position')
    .where('vectors.space_key', '=', space);
}

/** The other way round: vectors by key, then their memories. */
function matchingKeys(db: Vectors, query: VectorQuery, keys: readonly number[]) {
  const { project, where } = query;
  return db
    .selectFrom('vectors')
    .crossJoin('memories')
    .select(['vectors.key', 'memories.id', 'memories.position', 'vectors.vector'])
    .where(sql<boolean>`vectors.key in (select value from json_each(${JSON.stringify(keys)}))`)
    .whereRef('memories.position', '=', 'vectors.position')
    .where('memories.project_key', '=', project.key)
    .where(where);
}

export async function similarities(
  db: Vectors,
  { space, vector, positions }: Parameters<VectorIndex['similarities']>[1],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('vectors')
    .select(['position', 'vector'])
    .where(sql<boolean>`position in (select value from json_each(${JSON.stringify(positions)}))`)
    .where('space_key', '=', space)
    .execute();
  return new Map(
    rows.map(({ position, vector: stored }) => [position, dot(vector, decodeVector(stored))]),
  );
}

type Row = { id: string; position: number; vector: Uint8Array };

function best(rows: readonly Row[], { vector, limit }: VectorQuery): Neighbour[] {
  return rows
    .map(({ id, position, vector: stored }) => {
      const similarity = dot(vector, decodeVector(stored));
      return { id, position, similarity };
    })
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position)
    .slice(0, limit);
}
