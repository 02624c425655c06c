import { type FileHandle, open } from 'node:fs/promises';
import { ApiError } from '../../contract/errors.ts';

/**
 * Opens a file of the command line for reading. Throws an error that says why it cannot be read.
 */
export async function openFile(file: string): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw code === 'ENOENT'
      ? new ApiError('not_found', `${file} does not exist`, { cause: error })
      : new ApiError('unavailable', `${file} cannot be read (${code})`, { cause: error });
  }
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new ApiError('invalid', `${file} is a folder`);
}
