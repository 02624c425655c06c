import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { decodeText } from '../../contract/archive/decode-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { openFile } from '../io/open-file.ts';
import type { ContainedFile } from './contained-file.ts';
import { type ChatLeftOut, countLeftOut, mediaKind } from './left-out.ts';
import { isZip, openZip } from './zip.ts';

export type SourceText = { name: string; text: string };

/** What a file, a folder or an archive holds; `left_out` counts the other files in it. */
export type ChatSources = { texts: SourceText[]; left_out: ChatLeftOut; isContainer: boolean };

/** The longest string that V8 can hold. */
const bytesMax = 500 * 1024 * 1024;

/** All that is unpacked: an archive of some kilobytes can hold much more. */
const totalBytesMax = 2 * bytesMax;

/** Archives within archives, folders within folders. */
const archiveDepthMax = 3;
const folderDepthMax = 6;
const filesMax = 100_000;

export async function readSources(file: string): Promise<ChatSources> {
  const sources = { texts: [], left_out: {} };
  if (file === '-') {
    const text = decodeText(await buffer(process.stdin), 'standard input');
    return { ...sources, texts: [{ name: 'standard input', text }], isContainer: false };
  }
  const reading = { ...sources, left: totalBytesMax };
  const isFolder = (await stat(file).catch(() => null))?.isDirectory() ?? false;
  if (isFolder) await readFiles(await listFolder(file), { name: file, depth: 0 }, reading);
  else if (await startsAsZip(file)) await readArchive(file, { name: file, depth: 1 }, reading);
  else {
    const bytes = await readWhole(file);
    return {
      ...sources,
      texts: [{ name: file, text: decodeText(bytes, file) }],
      isContainer: false,
    };
  }
  if (reading.texts.length === 0) {
    throw new ApiError('invalid', `${file} holds no conversations.json`, {
      next: 'Name the archive that the service sent, or unpack it and name the file.',
    });
  }
  return { ...reading, isContainer: true };
}

type SourceReading = { texts: SourceText[]; left_out: ChatLeftOut; left: number };
type SourcePlace = { name: string; depth: number };

/** The file names that the services use; large exports are numbered. */
const conversationFileName = /(?:^|\/)(?:conversations(?:[-_]\d+)?|memories|MyActivity)\.json$/;
const textFileName = /\.(?:json|jsonl|ndjson|md|markdown|txt)$/i;
const archiveName = /\.zip$/i;

/** Other texts and archives may be what people attached, unless there is nothing else. */
async function readFiles(
  files: readonly ContainedFile[],
  place: SourcePlace,
  reading: SourceReading,
): Promise<void> {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const named = sorted.filter(({ path }) => conversationFileName.test(path));
  const isNamed = named.length > 0;
  for (const { path } of sorted) {
    if (!named.some((each) => each.path === path)) countLeftOut(reading.left_out, mediaKind(path));
  }
  for (const each of isNamed ? named : sorted) {
    const name = `${place.name}: ${each.path}`;
    if (archiveName.test(each.path)) await readInner(each, { ...place, name }, reading);
    else if (isNamed || textFileName.test(each.path)) {
      const text = decodeText(await readCounted(each, name, reading), name);
      reading.texts.push({ name, text });
    }
  }
}

async function readInner(
  file: ContainedFile,
  { name, depth }: SourcePlace,
  reading: SourceReading,
): Promise<void> {
  if (depth >= archiveDepthMax) countLeftOut(reading.left_out, 'archive');
  else {
    const bytes = await readCounted(file, name, reading);
    await readArchive(bytes, { name, depth: depth + 1 }, reading);
  }
}

async function readArchive(
  source: string | Buffer,
  place: SourcePlace,
  reading: SourceReading,
): Promise<void> {
  await openZip(source, { name: place.name, filesMax }, (files) =>
    readFiles(files, place, reading),
  );
}

async function readCounted(
  { size, read }: ContainedFile,
  name: string,
  reading: SourceReading,
): Promise<Buffer> {
  reading.left -= size;
  if (size > bytesMax) throw tooLarge(name, bytesMax);
  if (reading.left < 0) throw tooLarge(name.split(': ', 1)[0] ?? name, totalBytesMax);
  return read();
}

function tooLarge(name: string, bytes: number): ApiError {
  return new ApiError(
    'too_large',
    `${name} is over ${bytes / 1024 / 1024} MB; split it into parts`,
  );
}

async function startsAsZip(file: string): Promise<boolean> {
  const handle = await openFile(file);
  try {
    return await isZip(handle);
  } finally {
    await handle.close();
  }
}

async function readWhole(file: string): Promise<Buffer> {
  const handle = await openFile(file);
  try {
    if ((await handle.stat()).size > bytesMax) throw tooLarge(file, bytesMax);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Links are left out: they may lead anywhere, also round in a circle. */
async function listFolder(folder: string): Promise<ContainedFile[]> {
  const files: ContainedFile[] = [];
  const visit = async (inner: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (files.length >= filesMax)
        throw new ApiError('too_large', `${folder} holds more than ${filesMax} files`);
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
