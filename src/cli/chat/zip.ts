import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { ApiError, reasonOf } from '../../contract/errors.ts';
import {
  type ContainedFile,
  containedFilesMax,
  type OpenContainer,
} from '../../conversations/contained-files.ts';

/** The archive at a path, or that bytes are. */
export function openZip(source: string | Uint8Array, name: string): OpenContainer {
  return async (work) => {
    let archive: ZipFile | undefined;
    try {
      archive =
        typeof source === 'string'
          ? await openPromise(source, { autoClose: false })
          : await fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.length));
      await work(await listEntries(archive));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new ApiError('invalid', `${name} is a broken archive: ${reasonOf(error)}`, {
        cause: error,
      });
    } finally {
      archive?.close();
    }
  };
}

async function listEntries(archive: ZipFile): Promise<ContainedFile[]> {
  const files: ContainedFile[] = [];
  for await (const entry of archive.eachEntry()) {
    if (files.length >= containedFilesMax)
      throw new Error(`it holds more than ${containedFilesMax} files`);
    if (!entry.fileName.endsWith('/')) files.push(fileOf(archive, entry));
  }
  return files;
}

/** If there is more data than the archive declares, the stream fails. */
function fileOf(archive: ZipFile, entry: Entry): ContainedFile {
  const read = async () => buffer(await archive.openReadStreamPromise(entry));
  return { path: entry.fileName, size: entry.uncompressedSize, read };
}
