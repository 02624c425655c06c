import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { ApiError } from '../../contract/errors.ts';
import type { OpenSqlite } from './sqlite-driver.ts';
import { translateError } from './sqlite-errors.ts';

/**
 * Copies the database at `path` into a new file, as it is at one moment, while others use it. The
 * copy takes its name when it is complete and on disk.
 */
export async function backupSqlite(
  open: OpenSqlite,
  { path, file }: { path: string; file: string },
): Promise<void> {
  reserve(file);
  const partial = `${file}.partial`;
  try {
    rmSync(partial, { force: true });
    const sqlite = open(path, { readOnly: true });
    try {
      closeSync(openSync(partial, 'wx', 0o600));
      sqlite.prepare('vacuum into ?').run(partial);
    } finally {
      sqlite.close();
    }
    sync(partial);
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    rmSync(file, { force: true });
    throw translateError(error, file);
  }
}

/** Makes the file, empty and its owner's only, so that no other backup takes the same name. */
function reserve(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw exists
      ? new ApiError('conflict', `${file} exists; choose another name`, { cause: error })
      : new ApiError('unavailable', `${file} cannot be written; choose another folder`, {
          cause: error,
        });
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
