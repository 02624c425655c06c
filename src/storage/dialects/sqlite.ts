import { sql } from 'kysely';
import type { Log } from '../../core/ports.ts';
import { migrate, schemaVersion } from '../migrations/migrate.ts';
import type { Dialect, Engine } from './dialect.ts';
import { backupSqlite } from './sqlite-backup.ts';
import { createSession } from './sqlite-connection.ts';
import {
  loadSqlite,
  type OpenSqlite,
  type SqliteDatabase,
  type SqliteStatement,
} from './sqlite-driver.ts';
import { translateError } from './sqlite-errors.ts';
import { applicationId, checkFile, checkState, prepareFile, readState } from './sqlite-file.ts';
import { filterDialect, registerFunctions } from './sqlite-filter.ts';
import { createOpenedFile, type OpenedFile } from './sqlite-identity.ts';
import { linesOf, listOf, placesTable, positionsTable, textIndex } from './sqlite-index.ts';
import { lateVectorIndex } from './sqlite-late-vectors.ts';
import { attemptMs, patiently } from './sqlite-lock.ts';
import { createMoment, type Moment } from './sqlite-moment.ts';
import { createWriter, type Writer } from './sqlite-writer.ts';
import { type Pace, startUpkeep, type Upkeep } from './upkeep.ts';

export type SqliteOptions = {
  path: string;
  synchronous: 'normal' | 'full';
  busy_timeout_ms: number;
  log: Log;
  /** When it is looked whether the index needs care, and how much of it must. */
  upkeep?: (Pace & { least?: number }) | undefined;
};

/** Not at once: most commands are over by then. To look is to read one row. */
const pace: Pace = { firstMs: 60_000, everyMs: 60_000 };

/** In bytes about 1,300,000 of 384 dimensions, as floats 35,000: those that were asked for last. */
const vectorRoom = { segments_max_bytes: 512 * 1024 * 1024, floats_max_bytes: 64 * 1024 * 1024 };

export function createDialect(): Dialect {
  return {
    schema: {
      growingKey: 'integer primary key autoincrement',
      tableOptions: 'strict',
      longKeys: true,
    },
    filter: filterDialect,
    isServer: false,
    rowsAtOnce: 1, // prepared once, and run for each
    positionsAtOnce: 200_000, // every index holds them
    // One process writes at a time.
    unclaimed: (query) => query,
    // The plus keeps it from an index of the project, whose rows it would sort for each step.
    inRowOrder: (column) => sql`+${column}`,
    index: textIndex,
    places: placesTable,
    positions: positionsTable,
    lines: linesOf,
    list: listOf,
    vectors: lateVectorIndex(vectorRoom),
  };
}

/** Opens the file, made or brought up to date where needed, with one connection each way. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const { path, busy_timeout_ms } = options;
  const open = await loadSqlite();
  prepareFile(path);
  checkFile(path, open, schemaVersion);
  const opened: SqliteDatabase[] = [];
  try {
    const forWriting = open(path, { timeout: attemptMs });
    opened.push(forWriting);
    await setUp(forWriting, options);
    const file = createOpenedFile(path);
    const writer = createWriter({ sqlite: forWriting, path, file, busy_timeout_ms });
    const dialect = createDialect();
    await bringUpToDate(forWriting, { ...options, writer, dialect });
    const forReading = open(path, { timeout: attemptMs });
    opened.push(forReading);
    await setUp(forReading, options);
    return createEngine({ ...options, dialect, forReading, forWriting, file, writer, open });
  } catch (error) {
    for (const sqlite of opened) sqlite.close();
    throw translateError(error, path);
  }
}

/** Patient from the first statement on: most of them read the file, and may find it locked. */
async function setUp(sqlite: SqliteDatabase, options: SqliteOptions): Promise<void> {
  registerFunctions(sqlite);
  await patiently(options.busy_timeout_ms, () => {
    // Set once, it stays: the write-ahead log lets readers and a writer work side by side.
    const [row] = sqlite.prepare('pragma journal_mode').all() as [{ journal_mode: string }];
    if (row.journal_mode !== 'wal') {
      sqlite.exec(`pragma page_size = ${pageBytes}; pragma journal_mode = wal`);
    }
    sqlite.exec(`
      pragma synchronous = ${options.synchronous === 'full' ? 'full' : 'normal'};
      pragma journal_size_limit = ${logBytesMax};
      pragma cache_size = -${cacheKibibytes};
      pragma temp_store = memory;
      pragma foreign_keys = on;
    `);
  });
}

/** Of a new file: of vectors of 384 floats, one of 4 KiB holds two and one of 8 KiB five. */
const pageBytes = 8192;
/** The log shrinks to this after a large write. */
const logBytesMax = 16 * 1024 * 1024;
/** Pages that each of the two connections keeps. */
const cacheKibibytes = 8 * 1024;

async function bringUpToDate(
  sqlite: SqliteDatabase,
  {
    writer,
    dialect,
    path,
    busy_timeout_ms,
    log,
  }: SqliteOptions & Pick<Parts, 'writer' | 'dialect'>,
): Promise<void> {
  const known = schemaVersion;
  const readVersion = () => {
    const state = readState(sqlite);
    checkState(state, { path, known });
    return state.version;
  };
  if ((await patiently(busy_timeout_ms, readVersion)) === known) return;
  await writer.write(async ({ db }) => {
    // Read again: another process may have been faster.
    const from = readVersion();
    if (from === known) return;
    await migrate(db, { dialect, from });
    sqlite.exec(`pragma application_id = ${applicationId}; pragma user_version = ${known}`);
    if (from > 0) log('info', 'brought the store up to date', { from, to: known });
  });
}

type Parts = SqliteOptions & {
  dialect: Dialect;
  forReading: SqliteDatabase;
  forWriting: SqliteDatabase;
  file: OpenedFile;
  writer: Writer;
  open: OpenSqlite;
};

function createEngine({ forReading, forWriting, writer, ...options }: Parts): Engine {
  const { dialect, path, file, busy_timeout_ms, open } = options;
  forReading.exec('pragma query_only = on');
  const dataVersion = forReading.prepare('pragma data_version');
  const moment = createMoment(forReading, path);
  const reader = createSession({ sqlite: forReading, path, busy_timeout_ms, within: { moment } });
  // Whoever has written reads what they wrote.
  const write: Engine['write'] = (run) => writer.write(run).finally(moment.end);
  const upkeep = startSqliteUpkeep({ reader, write, isReplaced: file.isReplaced }, options);
  let closed: Promise<void> | null = null;
  const close = async () => {
    // At once: what comes from now on is refused.
    const stopped = upkeep.stop();
    await writer.end(() => {
      moment.end();
      forReading.close();
      emptyLog(forWriting);
      forWriting.close();
    });
    await stopped;
    await dialect.vectors.close();
  };
  return {
    dialect,
    reader,
    writer: writer.session,
    version: oncePerMoment(moment, () => versionOf(dataVersion, options)),
    write,
    isReplaced: file.isReplaced,
    backup: (file) => backupSqlite(open, { path, file }),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function startSqliteUpkeep(
  parts: Pick<Engine, 'reader' | 'write' | 'isReplaced'>,
  { log, upkeep = pace }: Pick<SqliteOptions, 'log' | 'upkeep'>,
): Upkeep {
  const keep = async (signal: AbortSignal) => {
    if (parts.isReplaced()) return; // whoever writes hears of it
    try {
      const { keepIndex } = await import('./sqlite-index-upkeep.ts');
      await keepIndex(parts, { ...upkeep, log, signal });
    } catch (error) {
      if (signal.aborted) return;
      // The store is away (full disk, locked): the next look tries again.
      const reason = error instanceof Error ? error.message : String(error);
      log('warn', 'the index of words could not be merged', { error: reason });
    }
  };
  return startUpkeep(keep, upkeep);
}

/** Asked for once in each moment. */
function oncePerMoment(moment: Moment, find: Engine['version']): Engine['version'] {
  let asked = 0;
  let known: Promise<number> | null = null;
  return () => {
    const now = moment.enter();
    if (known === null || now !== asked) known = find();
    asked = now;
    return known;
  };
}

/** SQLite counts the commits of other connections, whatever their process, each for itself. */
async function versionOf(
  dataVersion: SqliteStatement,
  { path, busy_timeout_ms }: Pick<SqliteOptions, 'path' | 'busy_timeout_ms'>,
): Promise<number> {
  try {
    const rows = await patiently(busy_timeout_ms, () => dataVersion.all());
    return (rows as [{ data_version: number }])[0].data_version;
  } catch (error) {
    throw translateError(error, path);
  }
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
