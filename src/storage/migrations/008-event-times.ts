import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';

/** Lets what happened to a user at some time be looked up among very many memories. */
export async function indexEventTimes(db: Database): Promise<void> {
  await sql
    .raw(
      `create index memories_by_user_occurrence on memories (project_key, user_id, occurred_at)
        where occurred_at is not null`,
    )
    .execute(db);
}
