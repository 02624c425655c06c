import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  createIndexesSql,
  createIndexSql,
  createTableSql,
  type EngineWords,
  indexesOf,
} from '../sql/schema/create-sql.ts';
import { encodeVector } from '../sql/vector-codec.ts';

/** Schema 15 has a vector in a file as numbers of 16 bits, and again in a segment as bytes. */
export async function upgradeVectorsFrom15(db: Database, words: EngineWords): Promise<void> {
  await recodeVectors(db, words, fromShorts);
}

/** An exponent, then numbers to be multiplied by that power of two. */
function fromShorts(blob: Uint8Array): Float32Array {
  // A copy, because the driver's buffer may not be aligned for wider numbers.
  const [exponent = 0, ...numbers] = new Int16Array(new Uint8Array(blob).buffer);
  return Float32Array.from(numbers, (number) => number * 2 ** exponent);
}

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
 * Schema 16 keeps a vector in a file once, as bytes. Into a new table, because shorter rows of the
 * old one would leave its pages half empty.
 */
export async function recodeVectors(
  db: Database,
  words: EngineWords,
  toFloats: (blob: Uint8Array) => Float32Array,
): Promise<void> {
  await sql`drop table vector_segments`.execute(db);
  const { rows: given } = await sql<{ seq: number }>`select seq from sqlite_sequence
    where name = 'vectors'`.execute(db);
  for (const { name } of indexesOf('vectors', words.engine)) {
    await sql`drop index ${sql.id(name)}`.execute(db);
  }
  await sql`alter table vectors rename to former_vectors`.execute(db);
  await sql.raw(createTableSql('vectors', words)).execute(db);
  for (let last = 0; ; ) {
    const { rows } = await sql<VectorRow>`select key, position, project_key, model_key, vector
      from former_vectors where key > ${last} order by key limit ${rowsAtOnce}`.execute(db);
    if (rows.length === 0) break;
    const values = rows.map(
      ({ key, position, project_key, model_key, vector }) =>
        sql`(${key}, ${position}, ${project_key}, ${model_key}, ${encodeVector(toFloats(vector))})`,
    );
    await sql`insert into vectors (key, position, project_key, model_key, vector)
      values ${sql.join(values)}`.execute(db);
    last = rows.at(-1)?.key ?? last;
  }
  await sql`drop table former_vectors`.execute(db);
  for (const index of createIndexesSql('vectors', words.engine)) await sql.raw(index).execute(db);
  await keepCounting(db, given[0]?.seq);
}

/** None is given out again: a process may still know that of a deleted vector. */
async function keepCounting(db: Database, last: number | undefined): Promise<void> {
  if (last === undefined) return;
  await sql`delete from sqlite_sequence where name = 'vectors'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values ('vectors', ${last})`.execute(db);
}

/** Schema 16 keeps a text once that several versions of a memory have, and finds it by an index. */
export async function upgradeVersionsFrom15(db: Database, words: EngineWords): Promise<void> {
  const added = indexesOf('memory_versions', words.engine).filter(
    ({ name }) => name === 'memory_versions_by_text',
  );
  for (const index of added) {
    await sql.raw(createIndexSql('memory_versions', index, words.engine)).execute(db);
  }
}
