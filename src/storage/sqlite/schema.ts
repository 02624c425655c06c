import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  createIndexesSql,
  createTableSql,
  type EngineWords,
  tablesOf,
} from '../sql/schema/create-sql.ts';
import { metaKeys } from '../sql/schema/meta-keys.ts';
import { insertDefaultTenant } from '../tables/tenants/default-tenant.ts';

export const sqliteWords: EngineWords = {
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

/**
 * FTS5 rewrites segments while a tenth of their rows is deleted: half the time of a bulk delete, in
 * stretches of .2 s. Here what is worn is merged in the background (search/fts5-merge.ts).
 */
const leaveDeletedSql = "insert into memory_fts (memory_fts, rank) values ('deletemerge', 0)";

/** Creates the tables and first rows of a new store. */
export async function createSqliteTables(db: Database): Promise<void> {
  const names = tablesOf('sqlite');
  const statements = [
    ...names.map((name) => createTableSql(name, sqliteWords)),
    ...names.flatMap((name) => createIndexesSql(name, 'sqlite')),
    createTextIndexSql,
    leaveDeletedSql,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  const value = randomBytes(32).toString('hex');
  await db.insertInto('meta').values({ key: metaKeys.secret, value }).execute();
  await insertDefaultTenant(db);
}
