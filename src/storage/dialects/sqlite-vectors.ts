import { sql } from 'kysely';
import { createSegmentCache } from '../vectors/cache.ts';
import {
  decodeVector,
  encodeSegment,
  encodeVector,
  makeSegment,
  segmentSize,
} from '../vectors/segment.ts';
import type { Database, VectorIndex } from './dialect.ts';
import { nearest, similarities } from './sqlite-nearest.ts';
import {
  createVectorTables,
  type Place,
  tail,
  type Vectors,
  vectorsOf,
  withVectors,
} from './sqlite-vector-tables.ts';

/**
 * Vectors in SQLite. The floats of each are the truth; beside them lie segments, some hundred
 * vectors of a project in bytes, which are scanned to find the likeliest ones. Keys only grow: the
 * vectors behind the last segment are not in one yet, and are scanned as they are.
 */
export function createVectorIndex(options: { max_bytes: number }): Omit<VectorIndex, 'settledTo'> {
  const cache = createSegmentCache(options);
  return {
    create: createVectorTables,
    put,
    delete: remove,
    nearest: (db, query) => nearest(withVectors(db), query, cache),
    similarities: (db, query) => similarities(withVectors(db), query),
    clear: (db, query) => clear(withVectors(db), query),
    bytes: cache.bytes,
  };
}

const put: VectorIndex['put'] = async (db, { project, space, entries }) => {
  if (entries.length === 0) return;
  const all = withVectors(db);
  const positions = entries.map(({ position }) => position);
  await forget(all, await deleteRows(all, positions).where('space_key', '=', space).execute());
  const place = { project_key: project.key, space_key: space };
  for (const { position, vector } of entries) {
    const row = { ...place, position, vector: encodeVector(vector) };
    await all.insertInto('vectors').values(row).execute();
  }
  await fillSegments(all, { project, space });
};

async function remove(db: Database, positions: readonly number[]): Promise<void> {
  const all = withVectors(db);
  await forget(all, await deleteRows(all, positions).execute());
}

function deleteRows(db: Vectors, positions: readonly number[]) {
  return db
    .deleteFrom('vectors')
    .where(sql<boolean>`position in (select value from json_each(${JSON.stringify(positions)}))`)
    .returning(['key', 'project_key', 'space_key']);
}

type Gone = { key: number; project_key: number; space_key: number };

/** Counts what is gone to the segments that still hold it. */
async function forget(all: Vectors, gone: readonly Gone[]): Promise<void> {
  for (const { key, project_key, space_key } of gone) {
    await all
      .updateTable('vector_segments')
      .set({ dead: sql`dead + 1` })
      .where('project_key', '=', project_key)
      .where('space_key', '=', space_key)
      .where('first_key', '<=', key)
      .where('last_key', '>=', key)
      .execute();
  }
  if (gone.length > 0) await renewSegments(all);
}

/** Makes segments of the vectors behind the last one, while they are enough for one. */
async function fillSegments(db: Vectors, place: Place): Promise<void> {
  for (;;) {
    const rows = await tail(db, place).limit(segmentSize).execute();
    if (rows.length < segmentSize) return;
    await insertSegment(db, place, rows);
  }
}

async function insertSegment(
  db: Vectors,
  { project, space }: Place,
  rows: readonly { key: number; vector: Uint8Array }[],
): Promise<void> {
  const vectors = rows.map(({ key, vector }) => ({ key, vector: decodeVector(vector) }));
  const row = {
    project_key: project.key,
    space_key: space,
    first_key: rows[0]?.key ?? 0,
    last_key: rows.at(-1)?.key ?? 0,
    count: rows.length,
    dead: 0,
    data: encodeSegment(makeSegment(vectors)),
  };
  await db.insertInto('vector_segments').values(row).execute();
}

/** A segment of which half is gone is made anew: its key changes, so that no cache keeps it. */
async function renewSegments(db: Vectors): Promise<void> {
  const worn = await db
    .deleteFrom('vector_segments')
    .where(sql<boolean>`dead * 2 > count`)
    .returning(['project_key', 'space_key', 'first_key', 'last_key'])
    .execute();
  for (const { project_key, space_key, first_key, last_key } of worn) {
    const place = { project: { key: project_key }, space: space_key };
    const rows = await vectorsOf(db, place)
      .select(['vectors.key', 'vectors.vector'])
      .where('vectors.key', '>=', first_key)
      .where('vectors.key', '<=', last_key)
      .orderBy('vectors.key')
      .execute();
    if (rows.length > 0) await insertSegment(db, place, rows);
  }
}

/** Without segments there is no more search, and nothing to count off. */
async function clear(
  db: Vectors,
  { space, limit }: { space: number; limit: number },
): Promise<number> {
  await db.deleteFrom('vector_segments').where('space_key', '=', space).execute();
  const { numDeletedRows } = await db
    .deleteFrom('vectors')
    .where('key', 'in', (eb) =>
      eb.selectFrom('vectors').select('key').where('space_key', '=', space).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
