import { sql } from 'kysely';
import type { Database, SqlDialect } from '../sql/dialect.ts';

/** Lets lists of a large project be counted and read without reading the project. */
export async function addTotals(db: Database, dialect: SqlDialect): Promise<void> {
  const { tableOptions, longKeys } = dialect.schema;
  // With what a list by category looks at, so that only what it shows is read.
  const looked = longKeys ? ', categories, user_id, replaced_by, expiration_date' : '';
  const steps = [
    `create table entity_totals (project_key integer not null references projects (key),
      type text not null, entities integer not null, memories integer not null,
      primary key (project_key, type)) ${tableOptions}`,
    `insert into entity_totals (project_key, type, entities, memories)
      select project_key, type, count(*), sum(total_memories) from entities
      group by project_key, type`,
    'create index entities_by_time on entities (project_key, created_at, key)',
    'create index entities_by_type on entities (project_key, type, created_at, key)',
    `create index memories_by_category on memories (project_key, created_at${looked})
      where categories <> '[]'`,
  ];
  for (const step of steps) await sql.raw(step).execute(db);
}
