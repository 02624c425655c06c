import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import { createIndexSql, type EngineWords, indexesOf } from '../sql/schema/create-sql.ts';

/** Schema 16 keeps a text once that several versions of a memory have, and finds it by an index. */
export async function upgradeVersionsFrom15(db: Database, words: EngineWords): Promise<void> {
  const added = indexesOf('memory_versions', words.engine).filter(
    ({ name }) => name === 'memory_versions_by_text',
  );
  for (const index of added) {
    await sql.raw(createIndexSql('memory_versions', index, words.engine)).execute(db);
  }
}
