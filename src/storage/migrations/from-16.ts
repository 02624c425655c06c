import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import { addColumnSql, type EngineWords } from '../sql/schema/create-sql.ts';

/** Schema 17 keeps which older memories a memory may replace. None of older stores names any. */
export async function addMayReplace(
  db: Database,
  table: 'memories' | 'memory_versions',
  words: EngineWords,
): Promise<void> {
  await sql.raw(addColumnSql(table, 'may_replace', words)).execute(db);
}
