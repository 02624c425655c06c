import type { FileHandle } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { openPromise, type ZipFile } from 'yauzl';
import { ApiError } from '../../contract/errors.ts';

/** Whether a file begins as ZIP files do. */
export async function isZip(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.toString('latin1') === 'PK\u0003\u0004';
}

/** The file names that the services use; large exports are numbered. */
const conversationFileName = /(?:^|\/)conversations(?:[-_]\d+)?\.json$/;

/** Reads the conversation files of an archive, each up to a maximum size. */
export async function readZip(
  file: string,
  bytesMax: number,
): Promise<{ name: string; text: string }[]> {
  let archive: ZipFile | undefined;
  const texts: { name: string; text: string }[] = [];
  try {
    archive = await openPromise(file, { autoClose: false });
    for await (const entry of archive.eachEntry()) {
      if (!conversationFileName.test(entry.fileName)) continue;
      const name = `${file}: ${entry.fileName}`;
      if (entry.uncompressedSize > bytesMax) {
        throw new ApiError('too_large', `${name} is over ${bytesMax / 1024 / 1024} MB`);
      }
      // If there is more data than the archive declares, the stream fails.
      texts.push({ name, text: await text(await archive.openReadStreamPromise(entry)) });
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError('invalid', `${file} is a broken archive: ${why}`, { cause: error });
  } finally {
    archive?.close();
  }
  if (texts.length > 0) return texts.sort((one, other) => (one.name < other.name ? -1 : 1));
  throw new ApiError('invalid', `${file} holds no conversations.json`, {
    next: 'Name the archive that the service sent, or unpack it and name the file.',
  });
}
