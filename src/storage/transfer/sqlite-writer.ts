import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { DbContext } from '../sql/db-context.ts';
import type { Database } from '../sql/dialect.ts';
import { createSqliteDialect } from '../sqlite/dialect.ts';
import { loadSqlite, type SqliteDatabase } from '../sqlite/driver.ts';
import { sqliteUnavailable, translateSqliteError } from '../sqlite/errors.ts';
import { partialTransferPath } from '../sqlite/file.ts';
import { openSqlite } from '../sqlite/open.ts';
import { registerSqlFunctions } from '../sqlite/text-functions.ts';
import type { RowInsert, TransferReader, TransferWriter } from './endpoints.ts';
import { busy_timeout_ms, createReaderMethods, createTransferSession } from './sqlite-reader.ts';
import type { TransferTable } from './tables.ts';

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
  return `on conflict (${quotedNames(key)}) do update set ${set.join(', ')}`;
}

function quotedNames(columns: readonly string[]): string {
  return columns.map((name) => `"${name}"`).join(', ');
}

async function insertTransferRows(
  at: DbContext,
  { table, columns, rows, replace }: RowInsert,
): Promise<void> {
  const places = columns.map(() => '?').join(', ');
  const upsert = replace ? upsertClause(table, columns) : '';
  const statement = `insert into "${table.name}" (${quotedNames(columns)}) values (${places}) ${upsert}`;
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
