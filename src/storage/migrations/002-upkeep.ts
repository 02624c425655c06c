import { sql } from 'kysely';
import type { Database } from '../dialects/dialect.ts';

/** Finds what has expired, and lets a job be put off and go on where it was. */
export async function addUpkeep(db: Database): Promise<void> {
  const steps = [
    `create index memories_by_expiry on memories (project_key, expiration_date)
      where expiration_date is not null`,
    'alter table jobs add column deferrals integer not null default 0',
    'alter table jobs add column plan text',
  ];
  for (const step of steps) await sql.raw(step).execute(db);
}
