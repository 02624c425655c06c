import { sql } from 'kysely';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import { partsOf } from '../../../turns.ts';
import type { Database, VectorIndex } from '../../sql/dialect.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { encodeVector } from '../../sql/vector-codec.ts';
import { createBlockCache } from '../vectors/block-scan.ts';
import { createRowCache } from '../vectors/row-cache.ts';
import { preloadMatches, sqliteNearest, sqliteSimilarities, type VectorCaches } from './nearest.ts';
import { withVectorTables } from './vector-tables.ts';

/** The memory that one process may use for vectors: for blocks of them, and for single ones. */
export type VectorCacheLimits = { blocks_max_bytes: number; rows_max_bytes: number };

/**
 * Vectors in SQLite, a row each. What is scanned is kept in memory, in blocks of some hundred
 * vectors of a project; since keys only grow, a search reads the rows after the last known one.
 */
export function createSqliteVectorIndex(
  cacheLimits: VectorCacheLimits,
): StrictOmit<VectorIndex, 'committedUpTo'> {
  const caches = openCaches(cacheLimits);
  /** The connections through which vectors were written. */
  const writers = new WeakSet<Database>();
  /** Rows of a transaction get other keys if it is rolled back, so no cache may keep them. */
  const within = async <R>(db: Database, search: (own: VectorCaches) => Promise<R>) => {
    if (!writers.has(db)) return search(caches);
    const own = openCaches(cacheLimits);
    return search(own).finally(own.blocks.close);
  };
  return {
    insert: (session, vectors) => {
      writers.add(session.db);
      return insert(session, vectors);
    },
    put: (db, vectors) => {
      writers.add(db);
      return put(db, vectors);
    },
    delete: remove,
    count: countVectors,
    preload: (at, query) => within(at.db, (own) => preloadMatches(at, query, own)),
    nearest: (at, query) => within(at.db, (own) => sqliteNearest(at, query, own)),
    similarities: (at, query) => within(at.db, (own) => sqliteSimilarities(at, query, own)),
    clear: deleteModelVectors,
    bytes: () => caches.blocks.bytes() + caches.rows.bytes(),
    close: caches.blocks.close,
  };
}

function openCaches({ blocks_max_bytes, rows_max_bytes }: VectorCacheLimits): VectorCaches {
  return {
    blocks: createBlockCache({ max_bytes: blocks_max_bytes }),
    rows: createRowCache({ max_bytes: rows_max_bytes }),
  };
}

const put: VectorIndex['put'] = async (db, { project, model_key, entries }) => {
  if (entries.length === 0) return;
  const all = withVectorTables(db);
  const positions = entries.map(({ position }) => position);
  await deleteRows(db, positions).where('model_key', '=', model_key).execute();
  const place = { project_key: project.key, model_key };
  const rows = entries.map(({ position, vector }) => {
    return { ...place, position, vector: encodeVector(vector) };
  });
  for (const values of partsOf(rows, insertBatchSize))
    await all.insertInto('vectors').values(values).execute();
};

/** Rows per statement: one statement for each would take three times as long. */
const insertBatchSize = 100;

const insert: VectorIndex['insert'] = async (session, { project, model_key, entries }) => {
  const place = { project_key: project.key, model_key };
  for (const { position, vector } of entries) {
    await insertRow(session, { ...place, position, vector: encodeVector(vector) });
  }
};

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
    }),
);

async function remove(db: Database, positions: readonly number[]): Promise<void> {
  await deleteRows(db, positions).execute();
}

async function countVectors(db: Database, positions: readonly number[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from vectors
    where position in (select value from json_each(${JSON.stringify(positions)}))`.execute(db);
  return rows[0]?.total ?? 0;
}

function deleteRows(db: Database, positions: readonly number[]) {
  return withVectorTables(db)
    .deleteFrom('vectors')
    .where(sql<boolean>`position in (select value from json_each(${JSON.stringify(positions)}))`);
}

async function deleteModelVectors(
  db: Database,
  { model_key, limit }: { model_key: number; limit: number },
): Promise<number> {
  const { numDeletedRows } = await withVectorTables(db)
    .deleteFrom('vectors')
    .where('key', 'in', (eb) =>
      eb.selectFrom('vectors').select('key').where('model_key', '=', model_key).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
