import { createRequire } from 'node:module';
import { ApiError } from '../../contract/errors.ts';

/** The part of the `node:sqlite` API that is used here. */
export type SqliteDatabase = {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  function(
    name: string,
    options: { deterministic: boolean },
    run: (...values: SqliteValue[]) => SqliteValue,
  ): void;
  close(): void;
};

export type SqliteValue = null | number | bigint | string | Uint8Array;

export type SqliteStatement = {
  all(...values: SqliteValue[]): unknown[];
  /** Absent in some versions, as is the next one. */
  columns?(): { name: string }[];
  /** Makes `all` return each row as an array of its values. */
  setReturnArrays?(enabled: boolean): void;
  run(...values: SqliteValue[]): { changes: number | bigint };
};

export type OpenSqlite = {
  (path: string, options?: { readOnly?: boolean; timeout?: number }): SqliteDatabase;
  /** Copies into a file in the background, `rate` pages at a time. */
  backup(from: SqliteDatabase, file: string, options: { rate: number }): Promise<number>;
  /** The module that another thread must load to get the same driver. */
  module: string;
};

/**
 * Returns Node's own SQLite if it supports the full text search used here, otherwise the optional
 * dependency with the same API.
 */
export async function loadSqlite(): Promise<OpenSqlite> {
  const builtIn = loadBuiltIn();
  if (builtIn !== null && probe(builtIn)) return builtIn;
  const installed = await loadInstalled();
  if (installed !== null && probe(installed)) return installed;
  throw new ApiError(
    'unavailable',
    'no usable SQLite: run Node 22.16 or later, ' +
      'or install the optional dependencies (npm install --include=optional)',
  );
}

type SqliteModule = {
  DatabaseSync: new (...args: Parameters<OpenSqlite>) => SqliteDatabase;
  backup: OpenSqlite['backup'];
};

function loadBuiltIn(): OpenSqlite | null {
  const { emitWarning } = process;
  // Loading it prints a warning that it is experimental, which users cannot act on.
  process.emitWarning = () => {};
  try {
    // The types of Node 20 do not include this module.
    const module = process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
    return module === undefined ? null : opener(module, () => 'node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadInstalled(): Promise<OpenSqlite | null> {
  try {
    const resolve = () => createRequire(import.meta.url).resolve('@photostructure/sqlite');
    return opener(await import('@photostructure/sqlite'), resolve);
  } catch {
    return null;
  }
}

/** The module is looked for when a thread is to have it, which takes some milliseconds. */
function opener({ DatabaseSync, backup }: SqliteModule, resolve: () => string): OpenSqlite {
  const open = (...[path, options = {}]: Parameters<OpenSqlite>) => new DatabaseSync(path, options);
  const openSqlite = Object.assign(open, { backup, module: '' });
  return Object.defineProperty(openSqlite, 'module', { get: resolve });
}

/** Tests by use: the version does not say which features a build was compiled with. */
function probe(open: OpenSqlite): boolean {
  try {
    const db = open(':memory:');
    db.exec("create virtual table probe using fts5(a, content='', contentless_delete=1)");
    db.close();
    return typeof open.backup === 'function';
  } catch {
    return false;
  }
}
