import { reasonOf } from '../../contract/errors.ts';
import type { Logger } from '../../core/ports/index.ts';
import { type SchemaStep, schemaAfter, schemaSteps } from '../migrations/steps.ts';
import type { DatabaseEngine, SqlDialect } from '../sql/dialect.ts';
import { type PeriodicTask, startPeriodicTask, type TaskSchedule } from '../sql/periodic-task.ts';
import { backupSqlite } from './backup.ts';
import { lockAttemptMs, retryWhileBusy } from './busy-retry.ts';
import { type Checkpoints, createCheckpoints } from './checkpoint.ts';
import { createSqliteSession } from './connection.ts';
import { createSqliteDialect } from './dialect.ts';
import {
  loadSqlite,
  type OpenSqlite,
  type SqliteDatabase,
  type SqliteStatement,
} from './driver.ts';
import { translateSqliteError } from './errors.ts';
import { applicationId, checkFile, checkState, createFileIfMissing, readState } from './file.ts';
import { createFileIdentity, type FileIdentity } from './file-identity.ts';
import { makeFilesPrivate } from './private-files.ts';
import { createReadSnapshot, type ReadSnapshot } from './read-snapshot.ts';
import { createSqliteTables, sqliteWords } from './schema.ts';
import { registerSqlFunctions } from './text-functions.ts';
import { createSqliteWriter, type SqliteWriter } from './writer.ts';

export type SqliteOptions = {
  path: string;
  synchronous: 'normal' | 'full';
  busy_timeout_ms: number;
  log: Logger;
  /** When to check whether the index needs a merge, and from which size. */
  upkeep?: (TaskSchedule & { least?: number }) | undefined;
  /** Instead of those of this version. */
  steps?: readonly SchemaStep[] | undefined;
};

/** Not immediately: most commands have ended by then. A check reads one row. */
const mergeSchedule: TaskSchedule = { firstMs: 60_000, everyMs: 60_000 };

/** Opens the file with a reading and a writing connection; creates or upgrades it if needed. */
export async function openSqlite(options: SqliteOptions): Promise<DatabaseEngine> {
  const { path, busy_timeout_ms, steps = schemaSteps } = options;
  const open = await loadSqlite();
  createFileIfMissing(path);
  checkFile(path, open, schemaAfter(steps));
  makeFilesPrivate(path, options.log);
  const opened: SqliteDatabase[] = [];
  try {
    const forWriting = open(path, { timeout: lockAttemptMs });
    opened.push(forWriting);
    await configureConnection(forWriting, options, writerCacheKibibytes);
    const file = createFileIdentity(path);
    const checkpoints = createCheckpoints({ sqlite: forWriting, path, module: open.module });
    const committing = { sqlite: forWriting, path, file, busy_timeout_ms, checkpoints };
    const writer = createSqliteWriter(committing);
    const dialect = createSqliteDialect();
    await migrateSqlite(forWriting, { path, busy_timeout_ms, log: options.log, steps, writer });
    const forReading = open(path, { timeout: lockAttemptMs });
    opened.push(forReading);
    await configureConnection(forReading, options, readerCacheKibibytes);
    const parts = { dialect, forReading, forWriting, file, writer, open, checkpoints };
    return createEngine({ ...options, ...parts });
  } catch (error) {
    for (const sqlite of opened) sqlite.close();
    throw translateSqliteError(error, path);
  }
}

/** Sets the timeout first, because most of these statements may find the file locked. */
async function configureConnection(
  sqlite: SqliteDatabase,
  { synchronous, busy_timeout_ms }: SqliteOptions,
  cacheKibibytes: number,
): Promise<void> {
  registerSqlFunctions(sqlite);
  await retryWhileBusy(busy_timeout_ms, () => {
    // Persistent: the write-ahead log lets readers work beside a writer.
    const [row] = sqlite.prepare('pragma journal_mode').all() as [{ journal_mode: string }];
    if (row.journal_mode !== 'wal') {
      sqlite.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal`);
    }
    sqlite.exec(`
      pragma synchronous = ${synchronous === 'full' ? 'full' : 'normal'};
      pragma journal_size_limit = ${walBytesMax};
      pragma cache_size = -${cacheKibibytes};
      pragma temp_store = memory;
      pragma foreign_keys = on;
    `);
  });
}

/** Page size of a new file: 4 KiB hold five vectors of 384 dimensions, 8 KiB ten. */
const pageBytes = 8192;
/** The log is truncated to this after a large write. */
const walBytesMax = 16 * 1024 * 1024;
/** The page caches: a search reads a hundred scattered pages, of 25 MiB at 10,000 memories. */
const writerCacheKibibytes = 8 * 1024;
const readerCacheKibibytes = 32 * 1024;

async function migrateSqlite(
  sqlite: SqliteDatabase,
  { writer, path, busy_timeout_ms, log, steps }: MigrationParts,
): Promise<void> {
  const to = schemaAfter(steps);
  const readVersion = () => {
    const state = readState(sqlite);
    checkState(state, path, to);
    return state.version;
  };
  if ((await retryWhileBusy(busy_timeout_ms, readVersion)) === to) return;
  await writer.write(async ({ db }) => {
    // Read again, because another process may have been faster.
    const from = readVersion();
    if (from === to) return;
    if (from === 0) await createSqliteTables(db);
    else for (const step of steps.slice(from - 1)) await step(db, sqliteWords);
    sqlite.exec(`pragma application_id = ${applicationId}; pragma user_version = ${to}`);
    if (from > 0) log('info', 'store upgraded', { from, to });
  });
}

type MigrationParts = Pick<SqliteOptions, 'path' | 'busy_timeout_ms' | 'log'> & {
  writer: SqliteWriter;
  steps: readonly SchemaStep[];
};

type SqliteEngineParts = SqliteOptions & {
  dialect: SqlDialect;
  forReading: SqliteDatabase;
  forWriting: SqliteDatabase;
  file: FileIdentity;
  writer: SqliteWriter;
  open: OpenSqlite;
  checkpoints: Checkpoints;
};

function createEngine({
  forReading,
  forWriting,
  writer,
  ...options
}: SqliteEngineParts): DatabaseEngine {
  const { dialect, path, file, busy_timeout_ms, open, checkpoints } = options;
  forReading.exec('pragma query_only = on');
  const dataVersion = forReading.prepare('pragma data_version');
  const moment = createReadSnapshot(forReading, path);
  const reading = { sqlite: forReading, path, busy_timeout_ms };
  const reader = createSqliteSession({ ...reading, within: { snapshot: moment } });
  // Callers read what they have written.
  const write: DatabaseEngine['write'] = (run) => writer.write(run).finally(moment.end);
  const upkeep = startIndexMerging({ reader, write, isReplaced: file.isReplaced }, options);
  let closed: Promise<void> | null = null;
  const close = async () => {
    // Immediately, so that later calls are refused.
    const stopped = upkeep.stop();
    await writer.close(async () => {
      await checkpoints.ended();
      moment.end();
      forReading.close();
      checkpointWal(forWriting);
      forWriting.close();
    });
    await stopped;
    await dialect.vectorIndex.close();
  };
  return {
    dialect,
    reader,
    writer: writer.session,
    version: oncePerSnapshot(moment, () => readDataVersion(dataVersion, options)),
    write,
    isReplaced: file.isReplaced,
    backup: (file) => backupSqlite(open, { path, file }),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function startIndexMerging(
  parts: Pick<DatabaseEngine, 'reader' | 'write' | 'isReplaced'>,
  { log, upkeep = mergeSchedule }: Pick<SqliteOptions, 'log' | 'upkeep'>,
): PeriodicTask {
  const keep = async (signal: AbortSignal) => {
    if (parts.isReplaced()) return; // the next write reports it
    try {
      const { mergeFts5Index } = await import('./search/fts5-merge.ts');
      await mergeFts5Index(parts, { ...upkeep, log, signal });
    } catch (error) {
      if (signal.aborted) return;
      // The store is unavailable (full disk, locked): the next run tries again.
      log('warn', 'keyword index merge failed', { error: reasonOf(error) });
    }
  };
  return startPeriodicTask(keep, upkeep);
}

/** Runs once per snapshot. */
function oncePerSnapshot(
  moment: ReadSnapshot,
  find: DatabaseEngine['version'],
): DatabaseEngine['version'] {
  let askedAt = 0;
  let version: Promise<number> | null = null;
  return () => {
    const now = moment.begin();
    if (version === null || now !== askedAt) version = find();
    askedAt = now;
    return version;
  };
}

/** Each SQLite connection counts the commits of all others, including other processes. */
async function readDataVersion(
  dataVersion: SqliteStatement,
  { path, busy_timeout_ms }: Pick<SqliteOptions, 'path' | 'busy_timeout_ms'>,
): Promise<number> {
  try {
    const rows = await retryWhileBusy(busy_timeout_ms, () => dataVersion.all());
    return (rows as [{ data_version: number }])[0].data_version;
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/**
 * Writes the log into the file, so that the file alone is the whole store. The last connection does
 * that when it closes, but one driver closes only after its statements were collected.
 */
function checkpointWal(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // The log stays valid: the next process that opens the store reads it.
  }
}
