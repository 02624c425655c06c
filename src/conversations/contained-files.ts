import { decodeText } from '../contract/archive/decode-text.ts';
import { ApiError } from '../contract/errors.ts';
import type { StrictOmit } from '../contract/strict-omit.ts';
import { type ChatLeftOut, countLeftOut, mediaKind } from './left-out.ts';

/** A file in a folder or an archive; `size` is in bytes. */
export type ContainedFile = { path: string; size: number; read: () => Promise<Uint8Array> };

export type SourceText = { name: string; text: string };

/** The texts of a file, a folder or an archive; `left_out` counts its other files. */
export type ChatSources = {
  name: string;
  texts: SourceText[];
  left_out: ChatLeftOut;
  isContainer: boolean;
};

/** Gives the files of a container to `work`, which may read them until it ends. */
export type OpenContainer = (work: (files: ContainedFile[]) => Promise<void>) => Promise<void>;

export type ContainerOptions = {
  /** Archives within archives count from 1, folders are 0. */
  depth: number;
  fileMaxBytes: number;
  /** The limit of all unpacked bytes: an archive of some kilobytes can hold gigabytes. */
  totalMaxBytes: number;
  openArchive: (bytes: Uint8Array, name: string) => OpenContainer;
};

/** Whether a file with these first bytes begins as archives do. */
export function isZip(bytes: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);
}

/** Archives within archives. */
const archiveDepthMax = 3;

/** In one folder or archive. */
export const containedFilesMax = 100_000;

/** Throws `invalid` when it holds nothing of the kind, and `too_large`. */
export async function readContainer(
  name: string,
  open: OpenContainer,
  options: ContainerOptions,
): Promise<ChatSources> {
  const { depth, ...limits } = options;
  const reading: ContainerReading = {
    ...limits,
    container: name,
    texts: [],
    left_out: {},
    left: limits.totalMaxBytes,
  };
  await open((files) => readFiles(files, { name, depth }, reading));
  const { texts, left_out } = reading;
  if (texts.length === 0) {
    throw new ApiError('invalid', `${name} holds no conversations.json`, {
      next: 'Use the archive that the service sent, or unpack it and use the file.',
    });
  }
  return { name, texts, left_out, isContainer: true };
}

type ContainerReading = StrictOmit<ContainerOptions, 'depth'> & {
  container: string;
  texts: SourceText[];
  left_out: ChatLeftOut;
  /** How many bytes may still be unpacked. */
  left: number;
};
type ContainerPlace = { name: string; depth: number };

/** The file names that the services use; large exports are numbered. */
const conversationFileName = /(?:^|\/)(?:conversations(?:[-_]\d+)?|memories|MyActivity)\.json$/;
const textFileName = /\.(?:json|jsonl|ndjson|md|markdown|txt)$/i;
const archiveName = /\.zip$/i;

/** Other texts and archives may be what people attached, unless there is nothing else. */
async function readFiles(
  files: readonly ContainedFile[],
  { name, depth }: ContainerPlace,
  reading: ContainerReading,
): Promise<void> {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const isNamed = sorted.some(({ path }) => conversationFileName.test(path));
  const chosenFiles: ContainedFile[] = [];
  for (const each of sorted) {
    const { path } = each;
    const isConversation = conversationFileName.test(path);
    if (!isConversation) countLeftOut(reading.left_out, mediaKind(path));
    if (isNamed ? isConversation : textFileName.test(path) || isReadArchive(path, depth, reading))
      chosenFiles.push(each);
  }
  for (const each of chosenFiles) countBytes(each, `${name}: ${each.path}`, reading);
  for (const { path, read } of chosenFiles) {
    const nested = { name: `${name}: ${path}`, depth: depth + 1 };
    const bytes = await read();
    if (archiveName.test(path)) {
      const open = reading.openArchive(bytes, nested.name);
      await open((inner) => readFiles(inner, nested, reading));
    } else reading.texts.push({ name: nested.name, text: decodeText(bytes, nested.name) });
  }
}

function isReadArchive(path: string, depth: number, { left_out }: ContainerReading): boolean {
  if (!archiveName.test(path)) return false;
  if (depth < archiveDepthMax) return true;
  countLeftOut(left_out, 'archive');
  return false;
}

/** Refuses by the sizes that the container declares, before it is unpacked. */
function countBytes({ size }: ContainedFile, name: string, reading: ContainerReading): void {
  const { container, fileMaxBytes, totalMaxBytes } = reading;
  reading.left -= size;
  if (size > fileMaxBytes) throw tooLargeFile(name, fileMaxBytes);
  if (reading.left < 0) throw tooLargeFile(container, totalMaxBytes, 'holds');
}

export function tooLargeFile(name: string, bytes: number, verb: 'is' | 'holds' = 'is'): ApiError {
  const size = `${bytes / 1024 / 1024} MB`;
  return new ApiError('too_large', `${name} ${verb} over ${size}; split it into parts`);
}
