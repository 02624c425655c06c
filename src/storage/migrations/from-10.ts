import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  addColumnSql,
  createIndexSql,
  type EngineWords,
  indexesOf,
} from '../sql/schema/create-sql.ts';

/** The changes of schema 11, which both engines write in the same way: no memory is pinned yet. */
export async function upgradeFrom10(db: Database, words: EngineWords): Promise<void> {
  const pinned = indexesOf('memories', words.engine).filter(({ name }) =>
    name.startsWith('memories_pinned'),
  );
  const statements = [
    addColumnSql('memories', 'pinned', words),
    ...pinned.map((index) => createIndexSql('memories', index, words.engine)),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
