import { type TableName, tableNames, tableOf } from '../../src/storage/sql/schema/tables.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from './database.ts';

const openSqlite = await loadSqlite();

/** The tables and columns of a store whose text contains these words, whatever writes them. */
export async function findStoredText(folder: string, words: RegExp): Promise<string[]> {
  const found = new Set<string>();
  for (const [name, rows] of await readStoredRows(folder)) {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'string' && words.test(value)) found.add(`${name}.${column}`);
      }
    }
  }
  return [...found].toSorted();
}

/** All rows of a store, by table. */
export async function readStoredRows(folder: string): Promise<Map<TableName, StoredRow[]>> {
  const read = new Map<TableName, StoredRow[]>();
  if (isPostgres) {
    await inDatabase(folder, async (client) => {
      for (const name of textTables('postgres')) {
        read.set(name, (await client.query(`select * from mneme.${name}`)).rows);
      }
    });
  } else {
    const sqlite = openSqlite(storePath(folder), { readOnly: true });
    for (const name of textTables('sqlite')) {
      read.set(name, sqlite.prepare(`select * from ${name}`).all() as StoredRow[]);
    }
    sqlite.close();
  }
  return read;
}

type StoredRow = Readonly<Record<string, unknown>>;

function textTables(engine: 'sqlite' | 'postgres'): TableName[] {
  return tableNames.filter((name) => {
    const table = tableOf(name);
    return (table.engine ?? engine) === engine && name !== 'vectors';
  });
}
