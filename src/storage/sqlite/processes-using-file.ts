import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Processes of this user that still have a file open that was at `path` and has been removed or
 * replaced. Linux only; elsewhere the list is empty.
 */
export function processesUsingRemovedFile(path: string): number[] {
  return processesWithOpenFile(`${resolvePath(path)} (deleted)`);
}

/** Processes of this user that are known to have the file open. */
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
      return ''; // closed in the meantime
    }
  });
}

/** Other users' processes are not readable, and some end during the scan. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The path without symbolic links, up to the part that does not exist. */
function resolvePath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return folder === path ? path : join(resolvePath(folder), basename(path));
}
