import { sql } from 'kysely';
import {
  isOfShortIds,
  renamedIndexes,
  renameFrom8,
  tablesWithShortIds,
} from '../migrations/from-8.ts';
import { upgradeFrom9 } from '../migrations/from-9.ts';
import { upgradeFrom10 } from '../migrations/from-10.ts';
import { upgradeFrom11 } from '../migrations/from-11.ts';
import { upgradeFrom12, upgradeVersionsFrom12 } from '../migrations/from-12.ts';
import { upgradeFrom13 } from '../migrations/from-13.ts';
import { upgradeVectorsFrom14 } from '../migrations/from-14.ts';
import { upgradeVectorsFrom15, upgradeVersionsFrom15 } from '../migrations/from-15.ts';
import { addMayReplace } from '../migrations/from-16.ts';
import { upgradeFrom17 } from '../migrations/from-17.ts';
import { firstWithVersions } from '../migrations/versions.ts';
import type { Database } from '../sql/dialect.ts';
import { addColumnSql, createIndexSql, indexesOf, tablesOf } from '../sql/schema/create-sql.ts';
import { sqliteWords } from './schema.ts';

/** Upgrades an older store, version by version. */
export async function upgradeSqlite(db: Database, from: number): Promise<void> {
  if (from === 8) await upgradeSqliteFrom8(db);
  if (from <= 9) await upgradeFrom9(db, sqliteWords);
  if (from <= 10) await upgradeFrom10(db, sqliteWords);
  if (from <= 11) await upgradeFrom11(db, sqliteWords);
  if (from >= firstWithVersions && from <= 12) await upgradeVersionsFrom12(db, sqliteWords);
  if (from <= 12) await upgradeFrom12(db, sqliteWords);
  if (from <= 13) await upgradeFrom13(db, sqliteWords);
  if (from <= 14) await upgradeVectorsFrom14(db, sqliteWords);
  else if (from === 15) await upgradeVectorsFrom15(db, sqliteWords);
  if (from >= firstWithVersions) {
    if (from <= 15) await upgradeVersionsFrom15(db, sqliteWords);
    if (from <= 16) await addMayReplace(db, 'memory_versions', sqliteWords);
  }
  if (from <= 16) await addMayReplace(db, 'memories', sqliteWords);
  await upgradeFrom17(db, sqliteWords);
}

/** SQLite cannot rename indexes. */
async function upgradeSqliteFrom8(db: Database): Promise<void> {
  const names = tablesOf('sqlite');
  await renameFrom8(db, (table) => names.some((name) => name === table));
  for (const { old } of renamedIndexes) await sql`drop index if exists ${sql.id(old)}`.execute(db);
  for (const table of tablesWithShortIds) {
    await sql.raw(addColumnSql(table, 'short_id', sqliteWords)).execute(db);
  }
  const renamed: string[] = renamedIndexes.map(({ index }) => index);
  for (const name of names) {
    for (const index of indexesOf(name, 'sqlite')) {
      const hadNone = tablesWithShortIds.some((table) => table === name);
      if (renamed.includes(index.name) || (hadNone && isOfShortIds(index))) {
        await sql.raw(createIndexSql(name, index, 'sqlite')).execute(db);
      }
    }
  }
}
