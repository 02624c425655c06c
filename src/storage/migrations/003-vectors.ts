import { sql } from 'kysely';
import type { Database, Dialect } from '../dialects/dialect.ts';

/** Vectors of memories, for those who configure an embedding model. */
export async function createVectorTables(db: Database, dialect: Dialect): Promise<void> {
  const { growingKey, tableOptions } = dialect.schema;
  for (const table of [
    `spaces (key ${growingKey}, name text not null unique, done_to integer not null,
      lease_owner text, lease_until text)`,
    'vectors_wanted (position integer primary key)',
  ]) {
    await sql.raw(`create table ${table} ${tableOptions}`).execute(db);
  }
  await dialect.vectors.create(db);
}
