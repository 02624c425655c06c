import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  createIndexesSql,
  createTableSql,
  type EngineWords,
  indexesOf,
} from '../sql/schema/create-sql.ts';
import { encodeVector } from '../sqlite/vectors/segment.ts';

type VectorRow = {
  key: number;
  position: number;
  project_key: number;
  model_key: number;
  vector: Uint8Array;
};

/** Rows per statement. */
const rowsAtOnce = 200;

/**
 * Schema 15 keeps a vector in a file as numbers of 16 bits instead of 32. Into a new table, because
 * shorter rows of the old one would leave its pages half empty.
 */
export async function upgradeVectorsFrom14(db: Database, words: EngineWords): Promise<void> {
  const { rows: given } = await sql<{ seq: number }>`select seq from sqlite_sequence
    where name = 'vectors'`.execute(db);
  for (const { name } of indexesOf('vectors', words.engine)) {
    await sql`drop index ${sql.id(name)}`.execute(db);
  }
  await sql`alter table vectors rename to vectors_of_floats`.execute(db);
  await sql.raw(createTableSql('vectors', words)).execute(db);
  for (let last = 0; ; ) {
    const { rows } = await sql<VectorRow>`select key, position, project_key, model_key, vector
      from vectors_of_floats where key > ${last} order by key limit ${rowsAtOnce}`.execute(db);
    if (rows.length === 0) break;
    const values = rows.map(
      ({ key, position, project_key, model_key, vector }) =>
        sql`(${key}, ${position}, ${project_key}, ${model_key}, ${encodeVector(toFloats(vector))})`,
    );
    await sql`insert into vectors (key, position, project_key, model_key, vector)
      values ${sql.join(values)}`.execute(db);
    last = rows.at(-1)?.key ?? last;
  }
  await sql`drop table vectors_of_floats`.execute(db);
  for (const index of createIndexesSql('vectors', words.engine)) await sql.raw(index).execute(db);
  await keepCounting(db, given[0]?.seq);
}

/** Segments name vectors by their keys, also those of deleted ones: none is given out again. */
async function keepCounting(db: Database, last: number | undefined): Promise<void> {
  if (last === undefined) return;
  await sql`delete from sqlite_sequence where name = 'vectors'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values ('vectors', ${last})`.execute(db);
}

/** A copy, because the driver's buffer may not be aligned for floats. */
function toFloats(blob: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(blob).buffer);
}
