import type { FileHandle } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { ApiError } from '../../contract/errors.ts';
import type { ContainedFile } from './contained-file.ts';

/** Whether a file begins as ZIP files do. */
export async function isZip(handle: FileHandle): Promise<boolean> {
  const { buffer: bytes, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && bytes.toString('latin1') === 'PK\u0003\u0004';
}

/** Gives the files of an archive to `work`, which may read them until it ends. */
export async function openZip(
  source: string | Buffer,
  { name, filesMax }: { name: string; filesMax: number },
  work: (files: ContainedFile[]) => Promise<void>,
): Promise<void> {
  let archive: ZipFile | undefined;
  try {
    archive =
      typeof source === 'string'
        ? await openPromise(source, { autoClose: false })
        : await fromBufferPromise(source);
    await work(await listEntries(archive, filesMax));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError('invalid', `${name} is a broken archive: ${why}`, { cause: error });
  } finally {
    archive?.close();
  }
}

async function listEntries(archive: ZipFile, filesMax: number): Promise<ContainedFile[]> {
  const files: ContainedFile[] = [];
  for await (const entry of archive.eachEntry()) {
    if (files.length >= filesMax) throw new Error(`it holds more than ${filesMax} files`);
    if (!entry.fileName.endsWith('/')) files.push(fileOf(archive, entry));
  }
  return files;
}

/** If there is more data than the archive declares, the stream fails. */
function fileOf(archive: ZipFile, entry: Entry): ContainedFile {
  const read = async () => buffer(await archive.openReadStreamPromise(entry));
  return { path: entry.fileName, size: entry.uncompressedSize, read };
}
