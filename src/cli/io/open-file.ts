import type { FileHandle } from 'node:fs/promises';
import { ApiError, errorCodeOf } from '../../contract/errors.ts';
import { openRegularFile } from '../../regular-file.ts';

/**
 * Opens a file of the command line for reading. Throws an error that says why it cannot be read.
 */
export async function openFile(file: string): Promise<FileHandle> {
  try {
    return await openRegularFile(file);
  } catch (error) {
    if (error instanceof ApiError) {
      throw new ApiError(error.code, error.message, {
        next: 'Write - to read standard input, also from a pipe.',
      });
    }
    const code = errorCodeOf(error);
    throw code === 'ENOENT'
      ? new ApiError('not_found', `${file} does not exist`, { cause: error })
      : new ApiError('unavailable', `${file} cannot be read (${code})`, { cause: error });
  }
}
