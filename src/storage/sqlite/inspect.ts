import { accessSync, constants, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { countVersionsSql, type VersionCounts } from '../sql/count-versions.ts';
import { loadSqlite, type OpenSqlite, type SqliteDatabase } from './driver.ts';
import { isBusy, translateSqliteError } from './errors.ts';
import { checkFile } from './file.ts';

/** The result of an inspection of the file. */
export type SqliteFileReport = {
  schema: number;
  memories: number;
  /** The number of API keys that are neither revoked nor expired. */
  keys: number;
  /** Embedding models, and how many memories each has yet to embed. */
  models: { name: string; dimension: number; pending: number }[];
  /** Null in an empty file. */
  versions: VersionCounts | null;
  bytes: number;
  lock: SqliteLockState;
};

/** `unused` means that no process has the file open. */
export type SqliteLockState = 'unused' | 'free' | 'taken';

/** The SQLite version that mneme would use. Throws `unavailable` if there is none. */
export async function sqliteVersion(): Promise<string> {
  const open = await loadSqlite();
  const sqlite = open(':memory:');
  const [row] = sqlite.prepare('select sqlite_version() as version').all() as [{ version: string }];
  sqlite.close();
  return row.version;
}

/** Inspects an existing file and changes nothing. Throws `unavailable` if it is unusable. */
export async function inspectSqlite(
  path: string,
  { versions_before = null }: { versions_before?: string | null } = {},
): Promise<SqliteFileReport> {
  const open = await loadSqlite();
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    checkFile(path, open);
    const sqlite = openReadOnly(open, path);
    try {
      const report = readReport(sqlite, versions_before);
      const lock = hasWal(path) ? probeLock(open, path) : 'unused';
      return { ...report, lock, bytes: statSync(path).size };
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/**
 * Opens the file for reading without leaving files behind: SQLite creates a log and its index even
 * for readers, unless it is told that nobody writes, which is true while there is no log.
 */
export function openReadOnly(open: OpenSqlite, path: string): SqliteDatabase {
  if (hasWal(path)) return open(path, { readOnly: true });
  return open(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true });
}

function hasWal(path: string): boolean {
  return statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined;
}

/**
 * The caller has the file open, so this connection is not the last to close it, and the log stays
 * as it is.
 */
function probeLock(open: OpenSqlite, path: string): SqliteLockState {
  const sqlite = open(path, { timeout: lockTimeoutMs });
  try {
    sqlite.exec('begin immediate');
    sqlite.exec('rollback');
    return 'free';
  } catch (error) {
    if (isBusy(error)) return 'taken';
    throw error;
  } finally {
    sqlite.close();
  }
}

/** Writes are short: a process that holds the lock longer than this is stuck. */
const lockTimeoutMs = 3000;

function readReport(
  sqlite: SqliteDatabase,
  versions_before: string | null,
): StrictOmit<SqliteFileReport, 'lock' | 'bytes'> {
  const read = (sql: string) => (sqlite.prepare(sql).all() as [{ value: number }])[0].value;
  const schema = read('select user_version as value from pragma_user_version');
  // A process that was stopped right after it created the file leaves it empty.
  if (schema === 0) return { schema, memories: 0, keys: 0, models: [], versions: null };
  return {
    schema,
    memories: read('select count(*) as value from memories'),
    keys: read(`select count(*) as value from api_keys
      where revoked_at is null
        and (expires_at is null or expires_at > strftime('%Y-%m-%dT%H:%M:%fZ'))`),
    models: readModels(sqlite),
    versions: readVersions(sqlite, versions_before),
  };
}

function readVersions(sqlite: SqliteDatabase, before: string | null): VersionCounts {
  const rows = sqlite.prepare(countVersionsSql('memory_versions', '?')).all(before);
  return (rows as [VersionCounts])[0]; // the statement defines the row type
}

function readModels(sqlite: SqliteDatabase): SqliteFileReport['models'] {
  const rows = sqlite.prepare(`select name, dimension,
    (select count(*) from memories where position > embedded_up_to)
      + (select count(*) from embedding_queue where model_key = key) as pending
    from embedding_models order by last_used_at desc`);
  return rows.all() as SqliteFileReport['models']; // the statement defines the row type
}
