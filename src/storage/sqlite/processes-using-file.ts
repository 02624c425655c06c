import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Processes of this user that still have a file open which was at `path` and is gone or replaced
 * now. Linux tells; elsewhere there are none to be found.
 */
export function processesUsingRemovedFile(path: string): number[] {
  return processesWithOpenFile(`${resolvePath(path)} (deleted)`);
}

/** Processes of this user that have a file open, as far as can be told. */
export function processesUsingFile(path: string): number[] {
  return processesWithOpenFile(resolvePath(path));
}

function processesWithOpenFile(file: string): number[] {
  return listFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => openFilesOf(pid).includes(file))
    .map(Number);
}

function openFilesOf(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  return listFolder(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return ''; // closed meanwhile
    }
  });
}

/** Other users' processes show nothing, and some end while they are looked at. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The path without symbolic links, as far as it exists. */
function resolvePath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return folder === path ? path : join(resolvePath(folder), basename(path));
}
