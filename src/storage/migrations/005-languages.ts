import { sql } from 'kysely';
import type { Database, SqlDialect } from '../sql/dialect.ts';

/**
 * Languages of projects. Memories that are there already had their words reduced as English ones:
 * they are looked at anew, from the first position on.
 */
export async function addLanguages(db: Database, dialect: SqlDialect): Promise<void> {
  const { tableOptions } = dialect.schema;
  await sql
    .raw(
      `create table languages (project_key integer not null references projects (key),
        language text not null, primary key (project_key, language)) ${tableOptions}`,
    )
    .execute(db);
  await sql`insert into meta (key, value)
    select 'analyzed_to', '0' where exists (select 1 from memories)`.execute(db);
}
