import { ApiError, errorCodeOf } from '../../contract/errors.ts';

/** Describes a failure of SQLite to the operator; returns other errors unchanged. */
export function translateSqliteError(error: unknown, path: string): unknown {
  const message = isClosed(error) ? closed : findProblem(error)?.message;
  if (message === undefined) return error;
  return sqliteUnavailable(path, message, error);
}

/** A problem of the store's file; only users of its machine are shown the path. */
export function sqliteUnavailable(path: string, problem: string, cause?: unknown): ApiError {
  const elsewhere = `the store ${problem}`;
  return new ApiError('unavailable', `${path} ${problem}`, { elsewhere, cause });
}

/** True if another connection holds the lock: a retry may succeed. */
export function isBusy(error: unknown): boolean {
  return findProblem(error)?.message === inUse;
}

const closed = 'was closed; the server is stopping';
const inUse = 'is locked by another process; try again, or stop that process';

/** SQLite errors with a cause outside this program: code, SQLite's message and ours. */
const problems = [
  { code: 5, text: 'database is locked', message: inUse },
  { code: 6, text: 'database table is locked', message: inUse },
  // Also raised when several processes open or close the log at the same time.
  { code: 15, text: 'locking protocol', message: inUse },
  {
    code: 8,
    text: 'attempt to write a readonly database',
    message: 'cannot be written; make it and its folder writable, or choose another data folder',
  },
  {
    code: 10,
    text: 'disk I/O error',
    message: 'could not be read or written; check the disk, its free space and its permissions',
  },
  {
    code: 11,
    text: 'database disk image is malformed',
    message: 'is damaged; nothing was changed: restore a backup, or move it away to start over',
  },
  {
    code: 13,
    text: 'database or disk is full',
    message: 'has no disk space left; free some',
  },
  {
    code: 14,
    text: 'unable to open database file',
    message: 'cannot be opened; check that its folder exists and is writable',
  },
  {
    code: 26,
    text: 'file is not a database',
    message: 'is not an SQLite database; move it away, or choose another data folder',
  },
];

function findProblem(error: unknown) {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  if (error.code !== 'ERR_SQLITE_ERROR') return undefined;
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
  return problems.find((problem) =>
    // One driver omits the code when it prepares a statement. Extended codes have more in their
    // upper bits.
    code === null ? error.message.endsWith(problem.text) : problem.code === (code & 0xff),
  );
}

/** A statement on a closed connection fails in the driver. */
function isClosed(error: unknown): boolean {
  return errorCodeOf(error) === 'ERR_INVALID_STATE';
}
