import type { ZipEntry } from 'unzipit';
import { decodeText } from '../../contract/archive/decode-text.ts';
import { ApiError, reasonOf } from '../../contract/errors.ts';
import {
  type ChatSources,
  type ContainedFile,
  containedFilesMax,
  isZip,
  type OpenContainer,
  readContainer,
  tooLargeFile,
} from '../../conversations/contained-files.ts';

/** What a page can hold beside what it makes of it. */
const fileMaxBytes = 200 * 1024 * 1024;
const totalMaxBytes = 500 * 1024 * 1024;

/**
 * The texts of a file that somebody gave to the page, or of those in an archive that may hold
 * conversations. Throws `invalid` and `too_large`. An archive may be larger than what is read of
 * it: pictures in it stay where they are.
 */
export async function readDropped(file: File): Promise<ChatSources> {
  const { name } = file;
  if (isZip(await bytesOf(file.slice(0, 4), name))) {
    const options = { depth: 1, fileMaxBytes, totalMaxBytes, openArchive: openDropped };
    return readContainer(name, openDropped(file, name), options);
  }
  if (file.size > fileMaxBytes) throw tooLargeFile(name, fileMaxBytes);
  const texts = [{ name, text: decodeText(await bytesOf(file, name), name) }];
  return { name, texts, left_out: {}, isContainer: false };
}

/** Browsers refuse to read a folder, and a file that was changed or removed since. */
async function bytesOf(blob: Blob, name: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (cause) {
    throw new ApiError('invalid', `${name} cannot be read`, {
      next: 'Choose the file again; of a folder, choose the files in it.',
      cause,
    });
  }
}

function openDropped(archive: Blob | Uint8Array, name: string): OpenContainer {
  return async (work) => {
    const { unzipRaw } = await import('unzipit');
    try {
      const { entries } = await unzipRaw(archive);
      if (entries.length > containedFilesMax)
        throw new Error(`it holds more than ${containedFilesMax} files`);
      await work(entries.filter((entry) => !entry.name.endsWith('/')).map(fileOf));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError('invalid', `${name} is a broken archive: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  };
}

/** Reading fails as soon as there is more data than the archive declares. */
function fileOf(entry: ZipEntry): ContainedFile {
  const read = async () => {
    if (entry.encrypted) throw new Error(`${entry.name} is encrypted`);
    return new Uint8Array(await entry.arrayBuffer());
  };
  return { path: entry.name, size: entry.size, read };
}
