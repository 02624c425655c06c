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
import { findForeignObject } from './foreign-objects.ts';
import { checkSqliteIntegrity } from './integrity-check.ts';

export type RestoreOptions = {
  path: string;
  /** The backup, which is not changed. */
  file: string;
  /** Whether to replace an existing store. */
  replace: boolean;
  now: string;
};

/**
 * Replaces the store with a copy of a sound backup in one step, while no process has it open.
 * Returns where the old store is kept, or null if there was none.
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
    // A server may have started during the copy.
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
  const foreign = findForeignObject(await loadSqlite(), file);
  if (foreign !== null) {
    const about = `${file} holds a ${foreign}, which mneme did not make`;
    throw new ApiError('invalid', `${about}; it was not restored`);
  }
}

/**
 * Every process that has the store open, even an idle one, holds a lock that prevents leaving the
 * write-ahead log. Leaving it also writes the log into the file. A damaged file has no locks to
 * check and may be the only copy left: it is moved with its log.
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

/** Time for a process that is about to close the store. */
const lockTimeoutMs = 1000;

/** There is a store at `path` at every moment: the old one, then the new one. */
function swapStores(
  path: string,
  { fresh, aside }: { fresh: string; aside: string },
): string | null {
  const formerFile = existsSync(path) ? aside : null;
  if (formerFile !== null) {
    // The log of an unreadable store, which must not be taken for the new store's.
    for (const suffix of ['-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, formerFile + suffix);
    }
    linkOrRename(path, formerFile);
  }
  renameSync(fresh, path);
  syncFolder(dirname(path));
  return formerFile;
}

/** Some file systems have no hard links. */
function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    renameSync(from, to);
  }
}

/** A rename is durable only after its folder is synced; if that is impossible, soon. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // Windows has no such call.
  }
}
