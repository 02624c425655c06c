import { sql } from 'kysely';
import type { Database, SqlDialect } from '../sql/dialect.ts';

/** Relations between entities, which go with the memory that states them. */
export async function createRelations(db: Database, { schema }: SqlDialect): Promise<void> {
  const table = `create table relations (
    project_key integer not null references projects (key), memory_id text not null,
    number integer not null, source text not null, source_type text not null,
    relationship text not null, target text not null, target_type text not null,
    primary key (project_key, memory_id, number)) ${schema.tableOptions}`;
  await sql.raw(table).execute(db);
}
