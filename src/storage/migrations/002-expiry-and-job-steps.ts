import { sql } from 'kysely';
import type { Database, SqlDialect } from '../sql/dialect.ts';

/** Finds what has expired, and lets a job be put off and go on where it was. */
export async function addExpiryAndJobSteps(db: Database, dialect: SqlDialect): Promise<void> {
  const steps = [
    `create index memories_by_expiry on memories (project_key, expiration_date)
      where expiration_date is not null`,
    'alter table jobs add column deferrals integer not null default 0',
    `create table job_parts (job_id text not null references jobs (id) on delete cascade,
      number integer not null, facts text not null, results text,
      primary key (job_id, number)) ${dialect.schema.tableOptions}`,
  ];
  for (const step of steps) await sql.raw(step).execute(db);
}
