import { lstat, realpath, stat } from 'node:fs/promises';
import { ApiError, errorCodeOf } from '../../contract/errors.ts';
import { readRegularFile } from '../../regular-file.ts';

/** Some clients keep their history in it; a larger file is something else. */
export const clientConfigMaxBytes = 64 * 1024 * 1024;

const byteOrderMark = '\uFEFF';

/** A configuration file as it is; `bytes` is null when it does not exist. */
export type ConfigText = {
  /** The file itself, not a link to it. */
  file: string;
  bytes: Buffer | null;
  /** Without the byte order mark that some editors write. */
  text: string;
  mark: string;
  mode: number | null;
};

/** Reads a file in order to change it. Throws `conflict` when it cannot be changed. */
export async function readClientConfig(path: string): Promise<ConfigText> {
  const file = await resolveLinks(path);
  const stats = await statOf(file);
  if (stats === null) return { file, bytes: null, text: '', mark: '', mode: null };
  if (!stats.isFile()) throw new ApiError('conflict', 'it is not a regular file');
  if (stats.size > clientConfigMaxBytes)
    throw new ApiError('conflict', 'it is too large for a configuration');
  const bytes = readRegularFile(file, { bytesMax: clientConfigMaxBytes, label: 'it' });
  const all = decodeUtf8(bytes);
  const mark = all.startsWith(byteOrderMark) ? byteOrderMark : '';
  return { file, bytes, text: all.slice(mark.length), mark, mode: stats.mode & 0o777 };
}

/** A rename would replace a file that its owner made read-only. */
export function checkWritable({ mode }: ConfigText): void {
  if (mode !== null && (mode & 0o222) === 0) throw new ApiError('conflict', 'it is read-only');
}

/** Follows links, because people keep these files in folders of their own. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw unreadableError(error);
    const link = await lstat(path).catch(() => null);
    if (link === null) return path;
    throw new ApiError('conflict', 'it is a link to a file that does not exist', { cause: error });
  }
}

async function statOf(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw unreadableError(error);
  }
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ApiError('conflict', 'it is not in UTF-8', { cause: error });
  }
}

export function isMissing(error: unknown): boolean {
  return errorCodeOf(error) === 'ENOENT';
}

function unreadableError(error: unknown): ApiError {
  const reason =
    errorCodeOf(error) === 'ENOTDIR' ? 'a part of its path is a file' : errorCodeOf(error);
  return new ApiError('conflict', `it cannot be read (${reason})`, { cause: error });
}
