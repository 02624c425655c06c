import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';

/** What is understood of a memory: its kind, what it tells, when that is, how it was said. */
export async function addExtraction(db: Database): Promise<void> {
  const columns = ['type', 'slot', 'occurred_at', 'occurred_granularity', 'said'];
  const steps = [
    ...columns.map((column) => `alter table memories add column ${column} text`),
    `create index memories_by_slot on memories (project_key, user_id, slot)
      where slot is not null`,
    `create index memories_by_occurrence on memories (project_key, occurred_at)
      where occurred_at is not null`,
    'alter table job_parts rename column facts to decisions',
  ];
  for (const step of steps) await sql.raw(step).execute(db);
}
