import { sql } from 'kysely';
import type { Database, SqlDialect } from '../sql/dialect.ts';

/** Vectors of memories, for those who configure an embedding model. */
export async function addVectorTables(db: Database, dialect: SqlDialect): Promise<void> {
  const { growingKey, tableOptions } = dialect.schema;
  for (const table of [
    `spaces (key ${growingKey}, name text not null unique, dimension integer not null,
      unrelated real not null, related real not null, trust real not null,
      complete integer not null, done_to integer not null, used_at text not null,
      lease_owner text, lease_until text)`,
    `vectors_wanted (space_key integer not null references spaces (key),
      position integer not null, primary key (space_key, position))`,
  ]) {
    await sql.raw(`create table ${table} ${tableOptions}`).execute(db);
  }
  await dialect.vectorIndex.create(db);
}
