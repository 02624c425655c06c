import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { ApiError, errorCodeOf } from '../../contract/errors.ts';
import type { OpenSqlite } from './driver.ts';
import { translateSqliteError } from './errors.ts';

/**
 * Copies the database at `path` into a new file, as it is at one moment, while others use it. The
 * copy gets its name only when it is complete and on disk.
 */
export async function backupSqlite(
  open: OpenSqlite,
  { path, file }: { path: string; file: string },
): Promise<void> {
  const partial = `${file}.partial`;
  reserveFile(file);
  try {
    reserveFile(partial);
    try {
      await copyPages(open, { path, file: partial });
      renameSync(partial, file);
    } catch (error) {
      rmSync(partial, { force: true });
      throw error;
    }
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** All pages in one step: a copy in several steps restarts whenever another process writes. */
const pagesPerStep = 0x7fff_ffff;

/** On its own connection: one that is being copied can do nothing else. */
async function copyPages(open: OpenSqlite, { path, file }: { path: string; file: string }) {
  try {
    const sqlite = open(path, { readOnly: true });
    try {
      await open.backup(sqlite, file, { rate: pagesPerStep });
    } finally {
      sqlite.close();
    }
  } catch (error) {
    throw translateSqliteError(error, file);
  }
}

/**
 * Creates an empty file for its owner only, and fails if it exists: two backups cannot share a
 * name.
 */
function reserveFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const code = errorCodeOf(error);
    const isNoFolder = ['ENOENT', 'ENOTDIR'].includes(code);
    throw code === 'EEXIST'
      ? new ApiError('conflict', `${file} exists; choose another name`, { cause: error })
      : new ApiError(
          isNoFolder ? 'invalid' : 'unavailable',
          `${file} cannot be written; choose another folder`,
          {
            cause: error,
          },
        );
  }
}
