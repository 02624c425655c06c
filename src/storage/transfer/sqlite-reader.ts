import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { DbContext } from '../sql/db-context.ts';
import type { Database, DbSession } from '../sql/dialect.ts';
import { decodeVector } from '../sql/vector-codec.ts';
import { createSqliteSession } from '../sqlite/connection.ts';
import { createSqliteDialect } from '../sqlite/dialect.ts';
import { loadSqlite, type SqliteDatabase } from '../sqlite/driver.ts';
import { sqliteUnavailable, translateSqliteError } from '../sqlite/errors.ts';
import { checkFile, partialTransferPath, readState } from '../sqlite/file.ts';
import { openReadOnly } from '../sqlite/inspect.ts';
import { openSqlite } from '../sqlite/open.ts';
import { registerSqlFunctions } from '../sqlite/text-functions.ts';
import { afterCursorSql, columnListSql, isTransferredSql, readInBatches } from './batches.ts';
import type { RowInsert, TransferReader, TransferRow, TransferWriter } from './endpoints.ts';
import { checkSourceSchema } from './source-schema.ts';
import type { TransferTable } from './tables.ts';

/** Opens a store's file for reading, without changing a byte or creating a file beside it. */
export async function openSqliteTransferReader(path: string): Promise<TransferReader> {
  if (!existsSync(path)) throw new ApiError('not_found', `${path} does not exist`);
  const open = await loadSqlite();
  let opened: OpenedSource | null = null;
  const current = (): OpenedSource => {
    if (opened === null) throw new Error('nothing has been looked at yet');
    return opened;
  };
  const close = () => {
    opened?.sqlite.close();
    opened = null;
  };
  const refresh = async () => {
    close();
    try {
      checkFile(path, open);
      const state = readSourceState(path);
      const sqlite = openReadOnly(open, path);
      opened = { sqlite, state, session: createTransferSession(sqlite, path) };
      checkSourceSchema({ version: readState(sqlite).version, shown: path });
      // With a log, readers keep the state that they saw first.
      sqlite.exec('begin; select 1 from sqlite_schema');
    } catch (error) {
      throw translateSqliteError(error, path);
    }
  };
  await refresh();
  return {
    ...createReaderMethods(() => current().session.db, path),
    refresh,
    isConsistent: () =>
      current().state.hasLog || isSameState(current().state, readSourceState(path)),
    isInUse: async () => readSourceState(path).hasLog,
    close: async () => close(),
  };
}

type OpenedSource = { sqlite: SqliteDatabase; state: SourceFileState; session: DbSession };
type SourceFileState = { hasLog: boolean; id: string };

/** Without a log, nothing is locked, and changes show up in the file's attributes. */
function readSourceState(path: string): SourceFileState {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return { hasLog: existsSync(`${path}-wal`), id: `${ino} ${size} ${mtimeNs}` };
}

function isSameState(one: SourceFileState, other: SourceFileState): boolean {
  return one.hasLog === other.hasLog && one.id === other.id;
}

function createTransferSession(sqlite: SqliteDatabase, path: string): DbSession {
  return createSqliteSession({ sqlite, path, busy_timeout_ms, within: null });
}

const busy_timeout_ms = 5_000;

type SqliteReaderMethods = Pick<TransferReader, 'shown' | 'hasVectors' | 'scan' | 'readSequence'>;

function createReaderMethods(db: () => Database, path: string): SqliteReaderMethods {
  return {
    shown: path,
    hasVectors: true,
    scan: (table, { columns, after = null, projects }) => {
      const order = scanOrder(table);
      return readInBatches(order, after, async (at, limit) => {
        const { rows } = await sql<TransferRow>`
          select ${columnListSql(columns)}, ${projectKeySql(table)} as project_key
          from ${sql.table(table.name)}
          where ${afterCursorSql(order, at)} and ${inProjectsSql(table, projects)} and ${isTransferredSql(table)}
          order by ${columnListSql(order)} limit ${limit}`.execute(db());
        return rows.map(toTransferRow);
      });
    },
    readSequence: async ({ name }) => {
      const { rows } = await sql<{ seq: number }>`
        select seq from sqlite_sequence where name = ${name}`.execute(db());
      return rows[0]?.seq ?? 0;
    },
  };
}

/** In the order of an index, across all projects. */
function scanOrder({ name, key, isPerProject }: TransferTable): readonly string[] {
  const isWhole = !isPerProject || (key.length === 1 && isNumericKey(key[0]));
  return isWhole || name === 'vectors' || name === 'job_steps' ? key : ['project_key', ...key];
}

function isNumericKey(column: string | undefined): boolean {
  return column === 'position' || column === 'key';
}

function projectKeySql({ name, isPerProject }: TransferTable): RawBuilder<unknown> {
  if (name === 'job_steps') {
    return sql`(select project_key from jobs where jobs.id = job_steps.job_id)`;
  }
  return isPerProject || name === 'members' ? sql`project_key` : sql`null`;
}

/** The plus prevents an index on the project, whose rows would be sorted for each batch. */
function inProjectsSql(
  table: TransferTable,
  projects: ReadonlySet<number> | undefined,
): RawBuilder<unknown> {
  if (projects === undefined) return sql`true`;
  const keys = JSON.stringify([...projects]);
  return sql`+${projectKeySql(table)} in (select value from json_each(${keys}))`;
}

function toTransferRow(row: TransferRow): TransferRow {
  const vector: unknown = row.vector;
  return vector instanceof Uint8Array ? { ...row, vector: decodeVector(vector) } : row;
}

/** Opens the file that becomes a store. Throws `conflict` if there is one already. */
export async function openSqliteTransferWriter(
  path: string,
  { resume }: { resume: boolean },
): Promise<TransferWriter> {
  const partial = partialTransferPath(path);
  if (existsSync(path)) throw new ApiError('conflict', `${path} exists; choose another name`);
  if (existsSync(partial) && !resume) {
    throw new ApiError('conflict', `${partial} holds an unfinished move`, {
      next: 'Resume it with --resume, or remove the file.',
    });
  }
  const options = { path: partial, synchronous: 'normal', busy_timeout_ms, log: () => {} } as const;
  await (await openSqlite(options)).close();
  const sqlite = await openForWriting(partial);
  const at: DbContext = {
    ...createTransferSession(sqlite, partial),
    dialect: createSqliteDialect(),
  };
  let isOpen = true;
  const close = async () => {
    if (isOpen) sqlite.close();
    isOpen = false;
  };
  const reader: TransferReader = {
    ...createReaderMethods(() => at.db, path),
    refresh: async () => {},
    isConsistent: () => true,
    isInUse: async () => false,
    close,
  };
  return {
    reader,
    transaction: (run) => inTransaction({ sqlite, path: partial }, () => run(async () => at)),
    insert: insertTransferRows,
    deleteProjectRows,
    setSequence: ({ name }, value) => setSequence(at.db, name, value),
    finish: async () => {
      sqlite.exec('pragma optimize');
      checkpointWal(sqlite, partial);
      await close();
      publishFile(partial, path);
    },
    close,
  };
}

async function openForWriting(path: string): Promise<SqliteDatabase> {
  const open = await loadSqlite();
  try {
    const sqlite = open(path, { timeout: busy_timeout_ms });
    registerSqlFunctions(sqlite);
    sqlite.exec(`pragma synchronous = normal; pragma foreign_keys = on;
      pragma cache_size = -${cacheKibibytes}`);
    return sqlite;
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/** Indexes are filled in random order, so their pages are used repeatedly. */
const cacheKibibytes = 64 * 1024;

async function inTransaction(
  { sqlite, path }: { sqlite: SqliteDatabase; path: string },
  run: () => Promise<void>,
): Promise<void> {
  try {
    sqlite.exec('begin immediate');
    try {
      await run();
      sqlite.exec('commit');
    } catch (error) {
      sqlite.exec('rollback');
      throw error;
    }
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

function upsertClause({ key }: TransferTable, columns: readonly string[]): string {
  const set = columns.map((name) => `"${name}" = excluded."${name}"`);
  return `on conflict ("${key[0]}") do update set ${set.join(', ')}`;
}

async function insertTransferRows(
  at: DbContext,
  { table, columns, rows, replace }: RowInsert,
): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  const upsert = replace ? upsertClause(table, columns) : '';
  const statement = `insert into "${table.name}" (${names}) values (${places}) ${upsert}`;
  const query = sql.raw(statement).compile(at.db);
  for (const row of rows) await at.run({ ...query, parameters: columns.map((name) => row[name]) });
}

async function deleteProjectRows(
  { db }: DbContext,
  { name }: TransferTable,
  project: number,
): Promise<void> {
  if (name === 'memories') {
    await sql`delete from memory_fts where rowid in
      (select position from memories where project_key = ${project})`.execute(db);
  }
  const own =
    name === 'job_steps'
      ? sql`job_id in (select id from jobs where project_key = ${project})`
      : sql`project_key = ${project}`;
  await sql`delete from ${sql.table(name)} where ${own}`.execute(db);
}

async function setSequence(db: Database, name: string, value: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${name}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${value})`.execute(db);
}

/** The log belongs to the old name: its content would be lost. */
function checkpointWal(sqlite: SqliteDatabase, path: string): void {
  const [row] = sqlite.prepare('pragma wal_checkpoint(truncate)').all() as [{ busy: number }];
  if (row.busy !== 0)
    throw sqliteUnavailable(path, 'is in use by another process; stop that process');
}

/** Unlike a rename, a link does not replace a file that was created in the meantime. */
function publishFile(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    if (existsSync(path)) {
      throw new ApiError('conflict', `${path} was created in the meantime; move it away`, {
        cause: error,
      });
    }
    renameSync(partial, path); // a file system without hard links
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
}
