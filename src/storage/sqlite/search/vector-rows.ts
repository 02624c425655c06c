import { sql } from 'kysely';
import type { DbSession } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { EncodedVectors } from '../../sql/vector-codec.ts';
import type { ReadBlock } from '../vectors/blocks.ts';
import { blockSize } from '../vectors/kernel.ts';
import type { ReadRows } from '../vectors/row-cache.ts';
import { sqliteAggregateJson, sqlitePositionsTable } from './text-index.ts';
import { withVectorTables } from './vector-tables.ts';

/** Reads the vectors of a project and model by ranges of keys. */
export function createBlockReader(
  session: DbSession,
  place: { project_key: number; model_key: number },
): ReadBlock {
  return async (range) => toVectors(await readRange(session, { ...place, ...range }));
}

export function createRowReader(session: DbSession): ReadRows {
  return async (keys) => toVectors(await readKeys(session, { keys: JSON.stringify(keys) }));
}

/**
 * All vectors as one blob: one blob each takes the driver as long as reading it. SQLite
 * concatenates blobs as text, byte by byte, and a cast turns the result into a blob.
 */
const vectorLists = [
  sqliteAggregateJson(sql.ref('wanted.key')).as('keys'),
  sql<Uint8Array | null>`cast(group_concat(wanted.vector, '') as blob)`.as('vectors'),
] as const;

type VectorLists = { keys: string | null; vectors: Uint8Array | null };

function toVectors([row]: VectorLists[]): EncodedVectors {
  return { keys: fromJson<number[]>(row?.keys ?? '[]'), rows: row?.vectors ?? new Uint8Array() };
}

type KeyRange = { project_key: number; model_key: number; after: number; upTo: number };

const readRange = prepareStatement((db, value: StatementParameters<KeyRange>) => {
  const keyRange = withVectorTables(db)
    .selectFrom('vectors')
    .select(['key', 'vector'])
    .where('project_key', '=', value('project_key'))
    .where('model_key', '=', value('model_key'))
    .where('key', '>', value('after'))
    .where('key', '<=', value('upTo'))
    .orderBy('key')
    .limit(blockSize);
  return db.selectFrom(keyRange.as('wanted')).select(vectorLists);
});

const readKeys = prepareStatement((db, value: StatementParameters<{ keys: string }>) => {
  const keyList = withVectorTables(db)
    .selectFrom(sqlitePositionsTable(value('keys')).as('listed'))
    .crossJoin('vectors')
    .select(['vectors.key', 'vectors.vector'])
    .whereRef('vectors.key', '=', 'listed.position');
  return db.selectFrom(keyList.as('wanted')).select(vectorLists);
});
