import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';

/** Lets a memory be found by the last digits of its id: a UUID has 36 characters. */
export async function indexShortIds(db: Database): Promise<void> {
  await sql
    .raw('create index memories_by_short_id on memories (project_key, substr(id, 29))')
    .execute(db);
}
