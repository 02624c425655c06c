import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ApiError } from '../../contract/errors.ts';
import { backupSqlite } from './backup.ts';
import { loadSqlite, type OpenSqlite } from './driver.ts';
import { isBusy } from './errors.ts';
import { createFolder, isSqliteDatabase } from './file.ts';
import { checkSqliteIntegrity } from './integrity-check.ts';

export type RestoreOptions = {
  path: string;
  /** The backup; it stays as it is. */
  file: string;
  /** Also where a store is that has to make room. */
  replace: boolean;
  now: string;
};

/**
 * Puts a copy of a sound backup in the place of the store, at once, while no process has it open.
 * Answers where the store is kept that was there; null when there was none.
 */
export async function restoreSqlite({
  path,
  file,
  replace,
  now,
}: RestoreOptions): Promise<string | null> {
  await checkBackup(file, path);
  const open = await loadSqlite();
  const isThere = existsSync(path);
  if (isThere && !replace) throw new ApiError('conflict', `${path} already holds a store`);
  if (isThere) checkUnused(open, path);
  const fresh = `${path}.restoring`;
  createFolder(dirname(path));
  for (const left of [fresh, `${fresh}.partial`]) rmSync(left, { force: true });
  await backupSqlite(open, { path: file, file: fresh });
  try {
    // A server may have started while the copy was made.
    if (existsSync(path)) checkUnused(open, path);
    return swapStores(path, {
      fresh,
      aside: `${path}.before-restore-${now.replaceAll(/[-:.]/g, '')}`,
    });
  } finally {
    rmSync(fresh, { force: true });
  }
}

async function checkBackup(file: string, path: string): Promise<void> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new ApiError('not_found', `${file} does not exist`);
  if (!stat.isFile()) throw new ApiError('invalid', `${file} is not a file`);
  if (existsSync(path) && realpathSync(file) === realpathSync(path)) {
    throw new ApiError('invalid', `${file} is the store itself`);
  }
  if (stat.size === 0) throw new ApiError('invalid', `${file} is empty`);
  const [problem] = await checkSqliteIntegrity(file);
  if (problem !== undefined) {
    const about = problem.startsWith(file) ? problem : `${file}: ${problem}`;
    throw new ApiError('invalid', `${about}; it was not restored`);
  }
}

/**
 * Whoever has the store open holds a lock that forbids leaving the write-ahead log, even while it
 * does nothing. Leaving it also brings the log into the file. What is damaged has no locks to ask,
 * and may be the only thing left: it is moved as it is, with its log.
 */
function checkUnused(open: OpenSqlite, path: string): void {
  if (!isSqliteDatabase(path)) return;
  try {
    const sqlite = open(path, { timeout: lockTimeoutMs });
    try {
      sqlite.exec('pragma journal_mode = delete; begin exclusive; rollback');
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (!isBusy(error)) return;
    throw new ApiError(
      'unavailable',
      `${path} is open in another process; stop the servers and clients that use it, ` +
        'then restore again',
      { cause: error },
    );
  }
}

/** A process that is about to close the store gets this long. */
const lockTimeoutMs = 1000;

/** There is a store at `path` at every moment: the old one, then the new one. */
function swapStores(
  path: string,
  { fresh, aside }: { fresh: string; aside: string },
): string | null {
  const kept = existsSync(path) ? aside : null;
  if (kept !== null) {
    // The log of a store that could not be read: it must not be taken for the new one's.
    for (const suffix of ['-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
    }
    linkOrRename(path, kept);
  }
  renameSync(fresh, path);
  syncFolder(dirname(path));
  return kept;
}

/** Some file systems know no second name for a file. */
function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    renameSync(from, to);
  }
}

/** Names are on disk only with their folder; where that can't be opened, they are soon. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows has no such call.
  }
}
