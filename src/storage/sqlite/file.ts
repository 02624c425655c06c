import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ApiError } from '../../contract/errors.ts';
import { schemaProblem, schemaVersion } from '../migrations/steps.ts';
import type { OpenSqlite, SqliteDatabase } from './driver.ts';

/** 'mnem' in ASCII: the application id in the file's header, which identifies mneme's files. */
export const applicationId = 0x6d_6e_65_6d;

/** The header of a file. */
export type SqliteFileState = { application_id: number; version: number; has_tables: boolean };

/** Creates folder and file if missing, for their owner only, and checks that they are usable. */
export function createFileIfMissing(path: string): void {
  const folder = dirname(path);
  try {
    createFolder(folder);
    accessSync(folder, constants.W_OK);
    closeSync(openSync(path, 'a+', 0o600));
  } catch (error) {
    throw new ApiError(
      'unavailable',
      `${path} cannot be read and written; make it and its folder writable, ` +
        'or choose another data folder',
      { cause: error },
    );
  }
}

/**
 * Creates a folder and its parents one by one: Node's own recursive `mkdir` never returns if a file
 * system rejects new folders as if their parent were missing, as /proc does.
 */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process created it in the meantime.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Refuses a file that is not mneme's, or has a schema after the `known` one, without changing a
 * byte: it reads the header as bytes, and a write-ahead log over a read-only connection.
 */
export function checkFile(
  path: string,
  openSqlite: OpenSqlite,
  readableVersion = schemaVersion,
): void {
  if (!statSync(path).isFile()) throw fileRefusal(path, 'is not a file');
  const header = readHeader(path);
  if (header === null) return;
  if (header.toString('latin1', 0, 16) !== magic) {
    throw fileRefusal(path, 'is not an SQLite database');
  }
  checkState(readWalState(path, openSqlite) ?? readHeaderState(header), path, readableVersion);
}

/** Refuses the database of another program, and one that this version cannot use. */
export function checkState(state: SqliteFileState, path: string, readableVersion: number): void {
  const foreign = state.application_id !== applicationId;
  if (foreign && (state.application_id !== 0 || state.has_tables)) {
    throw fileRefusal(path, 'is the database of another program');
  }
  const { version } = state;
  if (version <= readableVersion) return;
  const problem = schemaProblem({
    version,
    known: readableVersion,
    elsewhere: 'another data folder',
  });
  throw new ApiError('unavailable', `${path} ${problem}`);
}

export function readState(sqlite: SqliteDatabase): SqliteFileState {
  const sql = `select
    (select application_id from pragma_application_id) as application_id,
    (select user_version from pragma_user_version) as version,
    exists (select 1 from sqlite_schema) as has_tables`;
  const [row] = sqlite.prepare(sql).all() as [
    { application_id: number; version: number; has_tables: number },
  ];
  return { ...row, has_tables: row.has_tables === 1 };
}

/** Whether the file begins like a SQLite database. */
export function isSqliteDatabase(path: string): boolean {
  return readHeader(path)?.toString('latin1', 0, 16) === magic;
}

const magic = 'SQLite format 3\0';

/** The header of the first page and of the schema table, in bytes. */
const headerBytes = 108;

function readHeader(path: string): Buffer | null {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    const length = readSync(file, header, 0, headerBytes, 0);
    return length === 0 ? null : header;
  } finally {
    closeSync(file);
  }
}

/** Offsets as in SQLite's description of the file format. */
function readHeaderState(header: Buffer): SqliteFileState {
  return {
    version: header.readUInt32BE(60),
    application_id: header.readUInt32BE(68),
    // Without tables, the first page is a leaf without cells.
    has_tables: header.readUInt8(100) !== 13 || header.readUInt16BE(103) !== 0,
  };
}

/** If there is a log, the current state may be in it; null without one, or if it is unreadable. */
function readWalState(path: string, openSqlite: OpenSqlite): SqliteFileState | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0) return null;
  try {
    const sqlite = openSqlite(path, { readOnly: true });
    try {
      return readState(sqlite);
    } finally {
      sqlite.close();
    }
  } catch {
    return null;
  }
}

function fileRefusal(path: string, problem: string): ApiError {
  return new ApiError(
    'unavailable',
    `${path} ${problem}; nothing was changed: move it away, or choose another data folder`,
  );
}

/** The name of a file during a move, so that servers do not open it before it is complete. */
export function partialTransferPath(path: string): string {
  return `${path}.moving`;
}
