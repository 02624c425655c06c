import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import {
  isOfShortIds,
  renamedIndexes,
  renameFrom8,
  tablesWithShortIds,
} from '../migrations/from-8.ts';
import { upgradeFrom9 } from '../migrations/from-9.ts';
import { upgradeFrom10 } from '../migrations/from-10.ts';
import type { Database } from '../sql/dialect.ts';
import {
  addColumnSql,
  createIndexesSql,
  createIndexSql,
  createTableSql,
  type EngineWords,
  indexesOf,
  tablesOf,
} from '../sql/schema/create-sql.ts';
import { metaKeys } from '../sql/schema/meta-keys.ts';
import { insertDefaultTenant } from '../tables/tenants/default-tenant.ts';

const words: EngineWords = {
  engine: 'sqlite',
  types: {
    text: 'text',
    integer: 'integer',
    bigint: 'integer',
    real: 'real',
    blob: 'blob',
    vector: 'blob',
    tsvector: 'text',
  },
  counter: () => 'primary key autoincrement',
  counterIsKey: true,
  generated: 'virtual',
  options: () => 'strict',
};

/** FTS5 without a copy of the text; `scope` holds the owners of a memory. */
const createTextIndexSql = `create virtual table memory_fts using fts5(
  scope, terms, speaker,
  content = '', contentless_delete = 1, tokenize = 'ascii'
)`;

/** Upgrades an older store, version by version. */
export async function upgradeSqlite(db: Database, from: number): Promise<void> {
  if (from === 8) await upgradeSqliteFrom8(db);
  if (from <= 9) await upgradeFrom9(db, words);
  await upgradeFrom10(db, words);
}

/** SQLite cannot rename indexes. */
async function upgradeSqliteFrom8(db: Database): Promise<void> {
  const names = tablesOf('sqlite');
  await renameFrom8(db, (table) => names.some((name) => name === table));
  for (const { old } of renamedIndexes) await sql`drop index if exists ${sql.id(old)}`.execute(db);
  for (const table of tablesWithShortIds) {
    await sql.raw(addColumnSql(table, 'short_id', words)).execute(db);
  }
  const renamed: string[] = renamedIndexes.map(({ index }) => index);
  for (const name of names) {
    for (const index of indexesOf(name, 'sqlite')) {
      if (renamed.includes(index.name) || isOfShortIds(index)) {
        await sql.raw(createIndexSql(name, index, 'sqlite')).execute(db);
      }
    }
  }
}

/** Creates the tables and first rows of a new store. */
export async function createSqliteTables(db: Database): Promise<void> {
  const names = tablesOf('sqlite');
  const statements = [
    ...names.map((name) => createTableSql(name, words)),
    ...names.flatMap((name) => createIndexesSql(name, 'sqlite')),
    createTextIndexSql,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  const value = randomBytes(32).toString('hex');
  await db.insertInto('meta').values({ key: metaKeys.secret, value }).execute();
  await insertDefaultTenant(db);
}
