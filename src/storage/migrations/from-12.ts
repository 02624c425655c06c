import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  addColumnSql,
  createIndexSql,
  type EngineWords,
  indexesOf,
} from '../sql/schema/create-sql.ts';

/** Schema 13 finds standing instructions by an index: every context begins with them. */
export async function upgradeFrom12(db: Database, words: EngineWords): Promise<void> {
  const added = indexesOf('memories', words.engine).filter(({ name }) =>
    name.startsWith('memories_instructions'),
  );
  for (const index of added) {
    await sql.raw(createIndexSql('memories', index, words.engine)).execute(db);
  }
}

/** Schema 13 says of a version that only a part of it was superseded, and finds those of a time. */
export async function upgradeVersionsFrom12(db: Database, words: EngineWords): Promise<void> {
  const changed = indexesOf('memory_versions', words.engine).filter(({ columns }) =>
    columns.includes('recorded_from'),
  );
  const statements = [
    addColumnSql('memory_versions', 'superseded_in_part', words),
    ...changed.map(({ name }) => `drop index ${name}`),
    ...changed.map((index) => createIndexSql('memory_versions', index, words.engine)),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
