import { ApiError } from '../../contract/errors.ts';

/** Primary result codes of SQLite that have a cause outside this program. */
const codes = {
  busy: 5,
  locked: 6,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** What went wrong in SQLite, said to whoever runs the server; other errors stay themselves. */
export function translateError(error: unknown, path: string): unknown {
  const problem = isClosed(error)
    ? `${path} was closed; the server is stopping`
    : problemOf(resultCode(error), path);
  return problem === null ? error : new ApiError('unavailable', problem, { cause: error });
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === codes.busy || code === codes.locked;
}

function problemOf(code: number | null, path: string): string | null {
  switch (code) {
    case codes.busy:
    case codes.locked:
      return `${path} is in use by another process that does not let go; try again, or stop the other one`;
    case codes.readonly:
      return `${path} cannot be written; make the file and its folder writable, or choose another data folder`;
    case codes.io:
      return `reading or writing ${path} failed; check the disk, its free space and its permissions`;
    case codes.full:
      return `the disk of ${path} is full; free some space`;
    case codes.cannotOpen:
      return `${path} cannot be opened; check that its folder exists and is writable`;
    case codes.corrupt:
      return `${path} is damaged; nothing was changed: restore it from a backup, or move it away to start anew`;
    case codes.notADatabase:
      return `${path} is not an SQLite database; nothing was changed: move it away, or choose another data folder`;
    default:
      return null;
  }
}

/** A statement on a closed connection fails before it reaches SQLite. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}

/** The primary code; extended ones carry more in their upper bits. */
function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}
