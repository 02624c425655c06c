import type { CompiledQuery } from 'kysely';
import type { Log } from '../../core/ports.ts';
import { migrate, schemaVersion } from '../migrations/migrate.ts';
import type { Dialect, Engine } from './dialect.ts';
import { backupSqlite } from './sqlite-backup.ts';
import { changesRows, createDatabase } from './sqlite-connection.ts';
import { loadSqlite, type OpenSqlite, type SqliteDatabase } from './sqlite-driver.ts';
import { translateError } from './sqlite-errors.ts';
import { applicationId, checkFile, checkState, prepareFile, readState } from './sqlite-file.ts';
import { filterDialect, registerFunctions } from './sqlite-filter.ts';
import { textIndex } from './sqlite-index.ts';
import { attemptMs, patiently } from './sqlite-lock.ts';
import { createWriter, type Writer } from './sqlite-writer.ts';

export type SqliteOptions = {
  path: string;
  synchronous: 'normal' | 'full';
  busy_timeout_ms: number;
  log: Log;
};

const dialect: Dialect = {
  schema: { growingKey: 'integer primary key autoincrement', tableOptions: 'strict' },
  filter: filterDialect,
  index: textIndex,
};

/** Opens the file, made or brought up to date where needed, with one connection each way. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const { path, busy_timeout_ms, log } = options;
  const open = await loadSqlite();
  prepareFile(path);
  checkFile(path, open, schemaVersion);
  const opened: SqliteDatabase[] = [];
  try {
    const forWriting = connect(open, { path, timeout: attemptMs });
    opened.push(forWriting);
    const writer = createWriter({ sqlite: forWriting, path, busy_timeout_ms });
    await setUp(forWriting, options);
    await bringUpToDate(forWriting, { path, writer, log });
    const forReading = connect(open, { path, timeout: busy_timeout_ms });
    opened.push(forReading);
    return createEngine({ forReading, forWriting, writer, path, open });
  } catch (error) {
    for (const sqlite of opened) sqlite.close();
    throw translateError(error, path);
  }
}

function connect(open: OpenSqlite, at: { path: string; timeout: number }): SqliteDatabase {
  const sqlite = open(at.path, { timeout: at.timeout });
  registerFunctions(sqlite);
  sqlite.exec('pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -8000');
  return sqlite;
}

/** The write-ahead log is set once and stays: it lets readers and a writer work side by side. */
async function setUp(sqlite: SqliteDatabase, options: SqliteOptions): Promise<void> {
  await patiently(options.busy_timeout_ms, () => {
    const [row] = sqlite.prepare('pragma journal_mode').all() as [{ journal_mode: string }];
    if (row.journal_mode !== 'wal') sqlite.exec('pragma journal_mode = wal');
  });
  sqlite.exec(`pragma synchronous = ${options.synchronous === 'full' ? 'full' : 'normal'}`);
  sqlite.exec(`pragma journal_size_limit = ${logBytesMax}`);
}

/** The log shrinks to this after a large write. */
const logBytesMax = 16 * 1024 * 1024;

async function bringUpToDate(
  sqlite: SqliteDatabase,
  { path, writer, log }: { path: string; writer: Writer; log: Log },
): Promise<void> {
  const known = schemaVersion;
  const readChecked = () => {
    const state = readState(sqlite);
    checkState(state, { path, known });
    return state.version;
  };
  if (readChecked() === known) return;
  await writer.write(async (db) => {
    // Read again: another process may have been faster.
    const from = readChecked();
    await migrate(db, { dialect, from });
    sqlite.exec(`pragma application_id = ${applicationId}; pragma user_version = ${known}`);
    if (from > 0) log('info', 'brought the store up to date', { from, to: known });
  });
}

type Parts = {
  forReading: SqliteDatabase;
  forWriting: SqliteDatabase;
  writer: Writer;
  path: string;
  open: OpenSqlite;
};

function createEngine({ forReading, forWriting, writer, path, open }: Parts): Engine {
  forReading.exec('pragma query_only = on');
  const guard = (query: CompiledQuery) => {
    if (changesRows(query)) throw new Error('writes belong in store.transaction');
  };
  let closed: Promise<void> | null = null;
  const close = () =>
    writer.end(() => {
      forReading.close();
      emptyLog(forWriting);
      forWriting.close();
    });
  return {
    dialect,
    reader: createDatabase({ sqlite: forReading, path, guard }),
    write: writer.write,
    backup: (file) => backupSqlite(open, { path, file }),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Brings the log into the file, so that the file alone is the whole store. The last connection to
 * close would do so, but one driver closes only when its statements have been collected.
 */
function emptyLog(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // The log stays and counts: whoever opens the store next reads it.
  }
}
