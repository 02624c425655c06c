import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '../../contract/archive/decode-text.ts';
import { ApiError } from '../../contract/errors.ts';
import {
  type ChatSources,
  type ContainedFile,
  containedFilesMax,
  isZip,
  readContainer,
  tooLargeFile,
} from '../../conversations/contained-files.ts';
import { openFile } from '../io/open-file.ts';
import { openZip } from './zip.ts';

/** Below the longest string of V8 (2^29 - 24 characters). */
const fileMaxBytes = 500 * 1024 * 1024;

const containerOptions = { fileMaxBytes, totalMaxBytes: 2 * fileMaxBytes, openArchive: openZip };

const folderDepthMax = 6;

export async function readSources(file: string): Promise<ChatSources> {
  if (file === '-') return textSource(file, await buffer(process.stdin), 'standard input');
  const isFolder = (await stat(file).catch(() => null))?.isDirectory() ?? false;
  if (isFolder) {
    const files = await listFolder(file);
    return readContainer(file, (work) => work(files), { ...containerOptions, depth: 0 });
  }
  if (await startsAsZip(file))
    return readContainer(file, openZip(file, file), { ...containerOptions, depth: 1 });
  return textSource(file, await readWhole(file));
}

function textSource(file: string, bytes: Uint8Array, name = file): ChatSources {
  const texts = [{ name, text: decodeText(bytes, name) }];
  return { name: file, texts, left_out: {}, isContainer: false };
}

async function startsAsZip(file: string): Promise<boolean> {
  const handle = await openFile(file);
  try {
    const { buffer: first, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return isZip(first.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

async function readWhole(file: string): Promise<Buffer> {
  const handle = await openFile(file);
  try {
    if ((await handle.stat()).size > fileMaxBytes) throw tooLargeFile(file, fileMaxBytes);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Leaves out hidden files, deep folders, and links, which may lead anywhere, even in a circle. */
async function listFolder(folder: string): Promise<ContainedFile[]> {
  const files: ContainedFile[] = [];
  const visit = async (inner: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (files.length >= containedFilesMax)
        throw new ApiError('too_large', `${folder} holds more than ${containedFilesMax} files`);
      const whole = join(folder, path);
      if (entry.isDirectory() && depth < folderDepthMax) await visit(path, depth + 1);
      else if (entry.isFile()) {
        const { size } = await stat(whole);
        files.push({ path, size, read: () => readWhole(whole) });
      }
    }
  };
  await visit('', 0);
  return files;
}
