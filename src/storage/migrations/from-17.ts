import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import { createTableSql, type EngineWords } from '../sql/schema/create-sql.ts';

/** Schema 18 keeps the sessions of browsers. */
export async function upgradeFrom17(db: Database, words: EngineWords): Promise<void> {
  await sql.raw(createTableSql('sessions', words)).execute(db);
}
