import { tablesOf } from '../sql/schema/create-sql.ts';
import type { OpenSqlite, SqliteDatabase } from './driver.ts';
import { openReadOnly } from './inspect.ts';

/**
 * The first trigger, view or table of a file that mneme does not make, as `trigger "name"`; null if
 * there is none. They would run, or be kept, in every store that is made from the file.
 */
export function findForeignObject(open: OpenSqlite, path: string): string | null {
  const sqlite = openReadOnly(open, path);
  try {
    const object = listObjects(sqlite).find(
      ({ type, name }) => type !== 'table' || !ownTables.has(name),
    );
    // The name is the file's choice: shortened, and without control characters.
    return object === undefined
      ? null
      : `${object.type} ${JSON.stringify(object.name.slice(0, nameMaxChars))}`;
  } finally {
    sqlite.close();
  }
}

const nameMaxChars = 60;

type SchemaObject = { type: string; name: string };

function listObjects(sqlite: SqliteDatabase): SchemaObject[] {
  const rows = sqlite.prepare("select type, name from sqlite_schema where type <> 'index'").all();
  return rows as SchemaObject[]; // the statement defines the row type
}

/** The tables in which FTS5 keeps an index. */
const indexParts = ['_data', '_idx', '_content', '_docsize', '_config'];

/** Objects that SQLite itself creates. */
const sqliteTables = ['sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'];

const ownTables: ReadonlySet<string> = new Set([
  ...tablesOf('sqlite'),
  ...['', ...indexParts].map((part) => `memory_fts${part}`),
  ...sqliteTables,
]);
