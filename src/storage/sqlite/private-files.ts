import { chmodSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '../../core/ports/index.ts';

/** The rights of a file's group and of everybody else. */
const othersRights = 0o077;

/**
 * Takes the database's files from its group and from everybody else, if they and their folder are
 * this user's. The mode of the folder stays: it may hold what others are meant to read.
 */
export function makeFilesPrivate(path: string, log: Logger): void {
  const user = process.getuid?.();
  if (user === undefined || statSync(dirname(path)).uid !== user) return;
  // The log gets the mode of its database, so that comes first.
  const files = ['', '-wal', '-shm'].map((suffix) => path + suffix);
  const open = files.filter((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat !== undefined && stat.uid === user && (stat.mode & othersRights) !== 0;
  });
  const closed = open.filter((file) => setPrivate(file));
  if (closed.length > 0)
    log('warn', 'file permissions tightened: other users had access', { closed });
}

/** False for a log that ended meanwhile, and on file systems that keep no modes. */
function setPrivate(file: string): boolean {
  try {
    chmodSync(file, 0o600);
    return true;
  } catch {
    return false;
  }
}

/** The folder, and files of the database in it, that other users have rights to. */
export type ExposedFiles = { folder: boolean; files: string[] };

/** Changes nothing; finds none on Windows, where modes say nothing about other users. */
export function findExposedFiles(path: string): ExposedFiles {
  const folder = dirname(path);
  if (process.platform === 'win32') return { folder: false, files: [] };
  const isExposed = (name: string) => {
    const stat = statSync(name, { throwIfNoEntry: false });
    return stat !== undefined && (stat.mode & othersRights) !== 0;
  };
  const files = readdirSync(folder)
    .filter((name) => name.startsWith(basename(path)))
    .map((name) => join(folder, name));
  return { folder: isExposed(folder), files: files.filter(isExposed).sort() };
}
