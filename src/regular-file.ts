// By `promises` of node:fs, which Node loads with the first use: a start only reads small files.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  promises,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ApiError } from './contract/errors.ts';

export type RegularFileOptions = {
  bytesMax: number;
  /** The name of the file in errors; its path by default. */
  label?: string;
};

/** More than any configuration or key needs, and little to read at once. */
export const configFileMaxBytes = 1024 * 1024;

/**
 * Reads a regular file, or one that a link names. Throws `invalid` for anything else, such as a
 * device or a pipe, which may never end, and `too_large`.
 */
export function readRegularFile(
  path: string,
  { bytesMax, label = path }: RegularFileOptions,
): Buffer {
  checkRegular(statSync(path), label);
  const file = openSync(path, openFlags);
  try {
    const status = fstatSync(file);
    checkRegular(status, label);
    if (status.size > bytesMax) throw tooLarge(label, bytesMax);
    const bytes = readUpTo(file, bytesMax + 1);
    if (bytes.length > bytesMax) throw tooLarge(label, bytesMax);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Opens a file that must be regular, or a link to one, of any size. Throws `invalid`. */
export async function openRegularFile(path: string, label = path): Promise<FileHandle> {
  // Before it is opened, because opening some devices has effects.
  checkRegular(await promises.stat(path), label);
  const handle = await promises.open(path, openFlags);
  try {
    checkRegular(await handle.stat(), label);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opening a pipe that replaced the file does not wait. Windows has no such flag. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function checkRegular(status: Stats, label: string): void {
  if (!status.isFile()) throw new ApiError('invalid', `${label} is not a regular file`);
}

/** The size that a file states may be wrong: it grows, or is one that the system makes up. */
function readUpTo(file: number, bytesMax: number): Buffer {
  const parts: Buffer[] = [];
  for (let length = 0; length < bytesMax; ) {
    const part = Buffer.alloc(Math.min(partBytes, bytesMax - length));
    const read = readSync(file, part);
    if (read === 0) break;
    parts.push(part.subarray(0, read));
    length += read;
  }
  return Buffer.concat(parts);
}

const partBytes = 64 * 1024;

function tooLarge(label: string, bytesMax: number): ApiError {
  return new ApiError('too_large', `${label} is over ${bytesMax / 1024 / 1024} MB`);
}
