import { decodeText, inUtf8 } from '../../contract/archive/decode-text.ts';
import { describeOtherFile, graphLinesIn } from '../../contract/archive/other-file.ts';
import { isGraphLine } from '../../contract/archive/server-memory-line.ts';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { tryParseJson } from '../../contract/schemas/json.ts';
import { linesIn } from './read-lines.ts';

export type FileKind = 'export' | 'server-memory';

/**
 * Recognizes the program that wrote a file by its first line. The returned bytes begin with that
 * line again, in UTF-8. Throws `invalid` for a file of another kind, with its name.
 */
export async function recognize(
  bytes: AsyncIterable<Uint8Array>,
  name = 'the file',
): Promise<{ kind: FileKind; bytes: AsyncIterable<Uint8Array> }> {
  const source = inUtf8(bytes)[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  const { value: first } = await linesIn(recorded(source, seen)).next();
  const value = first !== undefined && 'value' in first.found ? first.found.value : undefined;
  const whole = replayed(source, seen);
  if (isGraphLine(value)) return { kind: 'server-memory', bytes: whole };
  if (isObject(value) && 'mneme' in value) return { kind: 'export', bytes: whole };
  const begin = Buffer.concat(seen)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (begin.startsWith('PK\u0003\u0004')) throw otherFile(name, 'a ZIP archive');
  if (!begin.startsWith('[') && !begin.startsWith('{')) return { kind: 'export', bytes: whole };
  const isBroken = value === undefined && /^\{\s*"type"\s*:\s*"(?:entity|relation)"/.test(begin);
  return isBroken ? { kind: 'server-memory', bytes: whole } : recognizeWhole(whole, name);
}

/** A list of entities and relations, or the answer of `read_graph`, is read as its lines. */
async function recognizeWhole(bytes: AsyncIterable<Uint8Array>, name: string) {
  const read = await readUpTo(bytes, name);
  const text = decodeText(read, name);
  const value = tryParseJson(text);
  const lines = graphLinesIn(value);
  if (lines.length > 0) {
    const written = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    return { kind: 'server-memory' as const, bytes: once(Buffer.from(written)) };
  }
  // A file that is not one JSON value may hold one on each line.
  const what = describeOtherFile(value ?? tryParseJson(text.trimStart().split('\n', 1)[0] ?? ''));
  if (what !== null) throw otherFile(name, what);
  return { kind: 'export' as const, bytes: once(read) };
}

/** Graphs of server-memory are read whole by their own server too. */
const wholeMaxBytes = 256 * 1024 * 1024;

async function readUpTo(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bytes) {
    length += part.length;
    if (length > wholeMaxBytes)
      throw new ApiError('too_large', `${name} is over ${wholeMaxBytes / 1024 / 1024} MB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function otherFile(name: string, what: string): ApiError {
  return new ApiError('invalid', `${name} looks like ${what}, not like an export of mneme`, {
    next: 'Conversations are imported with --chat.',
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type ArchiveLineSource = AsyncIterator<Uint8Array>;

async function* recorded(
  source: ArchiveLineSource,
  seen: Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for (let next = await source.next(); !next.done; next = await source.next()) {
    seen.push(next.value);
    yield next.value;
  }
}

async function* replayed(
  source: ArchiveLineSource,
  seen: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  try {
    yield* seen;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  } finally {
    await source.return?.();
  }
}
