import { tableNames, tableOf } from '../../src/storage/sql/schema/tables.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from './database.ts';

const openSqlite = await loadSqlite();

/** The tables and columns of a store whose text contains these words, whatever writes them. */
export async function findStoredText(folder: string, words: RegExp): Promise<string[]> {
  const found = new Set<string>();
  const read = (name: string, rows: readonly object[]) => {
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (typeof value === 'string' && words.test(value)) found.add(`${name}.${column}`);
      }
    }
  };
  if (isPostgres) {
    await inDatabase(folder, async (client) => {
      for (const name of textTables('postgres')) {
        read(name, (await client.query(`select * from mneme.${name}`)).rows);
      }
    });
  } else {
    const sqlite = openSqlite(storePath(folder), { readOnly: true });
    for (const name of textTables('sqlite')) {
      read(name, sqlite.prepare(`select * from ${name}`).all() as object[]);
    }
    sqlite.close();
  }
  return [...found].toSorted();
}

function textTables(engine: 'sqlite' | 'postgres'): string[] {
  return tableNames.filter((name) => {
    const table = tableOf(name);
    return (table.engine ?? engine) === engine && name !== 'vectors';
  });
}
