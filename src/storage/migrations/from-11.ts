import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import { createIndexesSql, createTableSql, type EngineWords } from '../sql/schema/create-sql.ts';

/** Schema 12 keeps what was asked, where a project wants that. */
export async function upgradeFrom11(db: Database, words: EngineWords): Promise<void> {
  const statements = [
    createTableSql('recalls', words),
    ...createIndexesSql('recalls', words.engine),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
