import { sql } from 'kysely';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import { partsOf } from '../../../turns.ts';
import type { Database, VectorIndex } from '../../sql/dialect.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { createFloatCache } from '../vectors/float-cache.ts';
import {
  buildSegment,
  decodeVector,
  encodeSegment,
  encodeVector,
  segmentSize,
} from '../vectors/segment.ts';
import { createSegmentCache } from '../vectors/segment-cache.ts';
import { preloadMatches, sqliteNearest, sqliteSimilarities } from './nearest.ts';
import {
  type ModelInProject,
  segmentsOf,
  unsegmentedVectors,
  type VectorDatabase,
  vectorsOf,
  withVectorTables,
} from './vector-tables.ts';

/** The memory that one process may use for vectors. */
export type VectorCacheLimits = { segments_max_bytes: number; floats_max_bytes: number };

/**
 * Vectors in SQLite. Each is stored as numbers of 16 bits. Segments of some hundred quantized
 * vectors of a project are scanned for candidates. Keys only grow: vectors after the last segment
 * are not in one yet, and are scanned as they are.
 */
export function createSqliteVectorIndex(
  room: VectorCacheLimits,
): StrictOmit<VectorIndex, 'committedUpTo'> {
  const segments = createSegmentCache({ max_bytes: room.segments_max_bytes });
  const floats = createFloatCache({ max_bytes: room.floats_max_bytes });
  const caches = { segments, floats };
  return {
    insert,
    put,
    delete: remove,
    count: countVectors,
    countWorn: async (db, project) => (await wornSegments(db, project)).length,
    rewrite: rewriteSegments,
    preload: (session, query) => preloadMatches(session, query, caches),
    nearest: (session, query) => sqliteNearest(session, query, caches),
    similarities: (session, query) => sqliteSimilarities(session, query, caches),
    clear: (db, query) => deleteModelVectors(withVectorTables(db), query),
    bytes: () => segments.bytes() + floats.bytes(),
    close: segments.close,
  };
}

const put: VectorIndex['put'] = async (db, { project, space, entries }) => {
  if (entries.length === 0) return;
  const all = withVectorTables(db);
  const positions = entries.map(({ position }) => position);
  await recordDeletions(
    all,
    await deleteRows(all, positions).where('model_key', '=', space).execute(),
  );
  const place = { project_key: project.key, model_key: space };
  const rows = entries.map(({ position, vector }) => {
    return { ...place, position, vector: encodeVector(vector) };
  });
  for (const values of partsOf(rows, insertBatchSize))
    await all.insertInto('vectors').values(values).execute();
  await buildSegments(all, { project, space });
};

const insert: VectorIndex['insert'] = async (session, { project, space, entries }) => {
  const place = { project_key: project.key, model_key: space };
  let last = 0;
  for (const { position, vector } of entries) {
    const row = { ...place, position, vector: encodeVector(vector) };
    const [inserted] = await insertRow(session, row);
    last = inserted?.key ?? 0;
  }
  // Not after every insert, because the check costs as much as the insert.
  if (last % segmentCheckInterval < entries.length) {
    await buildSegments(withVectorTables(session.db), { project, space });
  }
};

const segmentCheckInterval = 64;

type NewVectorRow = {
  project_key: number;
  model_key: number;
  position: number;
  vector: Uint8Array;
};

const insertRow = prepareStatement((db, value: StatementParameters<NewVectorRow>) =>
  withVectorTables(db)
    .insertInto('vectors')
    .values({
      project_key: value('project_key'),
      model_key: value('model_key'),
      position: value('position'),
      vector: value('vector'),
    })
    .returning('key'),
);

/** Rows per statement: one statement for each would take three times as long. */
const insertBatchSize = 100;

async function remove(db: Database, positions: readonly number[]): Promise<void> {
  const all = withVectorTables(db);
  await recordDeletions(all, await deleteRows(all, positions).execute());
}

async function countVectors(db: Database, positions: readonly number[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from vectors
    where position in (select value from json_each(${JSON.stringify(positions)}))`.execute(db);
  return rows[0]?.total ?? 0;
}

type SegmentOwner = Parameters<VectorIndex['rewrite']>[1];

function wornSegments(db: Database, project: SegmentOwner) {
  return withVectorTables(db)
    .selectFrom('vector_segments')
    .select(['key', 'project_key', 'model_key', 'first_key', 'last_key'])
    .where('project_key', '=', project.key)
    .where('deleted_count', '>', 0)
    .execute();
}

async function rewriteSegments(db: Database, project: SegmentOwner): Promise<void> {
  for (const worn of await wornSegments(db, project)) {
    await rebuildSegment(withVectorTables(db), worn);
  }
}

function deleteRows(db: VectorDatabase, positions: readonly number[]) {
  return db
    .deleteFrom('vectors')
    .where(sql<boolean>`position in (select value from json_each(${JSON.stringify(positions)}))`)
    .returning(['key', 'project_key', 'model_key']);
}

type DeletedVector = { key: number; project_key: number; model_key: number };

/** Counts deletions in the segments that hold the vectors, and rebuilds sparse segments. */
async function recordDeletions(all: VectorDatabase, gone: readonly DeletedVector[]): Promise<void> {
  const places = new Map<string, { place: ModelInProject; keys: number[] }>();
  for (const { key, project_key, model_key } of gone) {
    const name = `${project_key} ${model_key}`;
    const place = { project: { key: project_key }, space: model_key };
    const known = places.get(name) ?? { place, keys: [] };
    known.keys.push(key);
    places.set(name, known);
  }
  for (const { place, keys } of places.values()) await recordProjectDeletions(all, place, keys);
}

async function recordProjectDeletions(
  all: VectorDatabase,
  place: ModelInProject,
  gone: readonly number[],
): Promise<void> {
  const keys = gone.toSorted((one, other) => one - other);
  let next = 0;
  while (next < keys.length) {
    const key = keys[next] ?? 0;
    const segment = await segmentsOf(all, place)
      .select(['key', 'first_key', 'last_key'])
      .where('last_key', '>=', key)
      .orderBy('last_key')
      .limit(1)
      .executeTakeFirst();
    // Vectors after the last segment are in none.
    if (segment === undefined) return;
    const start = next;
    while (next < keys.length && (keys[next] ?? 0) <= segment.last_key) next += 1;
    const deleted = keys.slice(start, next).filter((one) => one >= segment.first_key).length;
    if (deleted > 0) await rebuildIfSparse(all, segment.key, deleted);
  }
}

/** Makes segments of the vectors after the last one, while there are enough. */
async function buildSegments(db: VectorDatabase, place: ModelInProject): Promise<void> {
  for (;;) {
    const keys = await unsegmentedVectors(db, place)
      .clearSelect()
      .select('vectors.key')
      .limit(segmentSize)
      .execute();
    if (keys.length < segmentSize) return;
    const rows = await unsegmentedVectors(db, place).limit(segmentSize).execute();
    await insertSegment(db, place, rows);
  }
}

async function insertSegment(
  db: VectorDatabase,
  { project, space }: ModelInProject,
  rows: readonly { key: number; vector: Uint8Array }[],
): Promise<void> {
  // Longer ones are of a process that opened the file before its upgrade.
  const bytes = Math.min(...rows.map(({ vector }) => vector.length));
  const fitting = rows.filter(({ vector }) => vector.length === bytes);
  const vectors = fitting.map(({ key, vector }) => ({ key, vector: decodeVector(vector) }));
  const row = {
    project_key: project.key,
    model_key: space,
    first_key: rows[0]?.key ?? 0,
    last_key: rows.at(-1)?.key ?? 0,
    count: fitting.length,
    deleted_count: 0,
    data: encodeSegment(buildSegment(vectors)),
  };
  await db.insertInto('vector_segments').values(row).execute();
}

/** Rebuilds a segment if half of it is deleted. */
async function rebuildIfSparse(db: VectorDatabase, key: number, deleted: number): Promise<void> {
  const worn = await db
    .updateTable('vector_segments')
    .set({ deleted_count: sql`deleted_count + ${deleted}` })
    .where('key', '=', key)
    .returningAll()
    .executeTakeFirst();
  if (worn === undefined || worn.deleted_count * 2 <= worn.count) return;
  await rebuildSegment(db, worn);
}

type WornSegment = Awaited<ReturnType<typeof wornSegments>>[number];

/** Under a new key, so that no cache keeps it. */
async function rebuildSegment(db: VectorDatabase, worn: WornSegment): Promise<void> {
  await db.deleteFrom('vector_segments').where('key', '=', worn.key).execute();
  const place = { project: { key: worn.project_key }, space: worn.model_key };
  const rows = await vectorsOf(db, place)
    .select(['vectors.key', 'vectors.vector'])
    .where('vectors.key', '>=', worn.first_key)
    .where('vectors.key', '<=', worn.last_key)
    .orderBy('vectors.key')
    .execute();
  if (rows.length > 0) await insertSegment(db, place, rows);
}

/** Without segments, there are no searches and no deletions to count. */
async function deleteModelVectors(
  db: VectorDatabase,
  { space, limit }: { space: number; limit: number },
): Promise<number> {
  await db.deleteFrom('vector_segments').where('model_key', '=', space).execute();
  const { numDeletedRows } = await db
    .deleteFrom('vectors')
    .where('key', 'in', (eb) =>
      eb.selectFrom('vectors').select('key').where('model_key', '=', space).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
