import { checkArchiveHeader } from '../../contract/archive/archive-line.ts';
import { ApiError } from '../../contract/errors.ts';

/** One line as it was found: what it says, or why it says nothing. */
export type ArchiveRecord = { place: string } & ({ value: unknown } | { problem: string });

/**
 * Reads exported lines from bytes as they come, in batches that one transaction can take. The
 * header is checked and left out. Throws `invalid` when the bytes are not an export.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly ArchiveRecord[]> {
  const lines = linesIn(bytes);
  const { value: header } = await lines.next();
  if (header === undefined) throw new ApiError('invalid', nothingThere);
  checkHeaderLine(header.found);
  yield* inBatches(lines);
}

export const nothingThere = 'nothing to import: the file has no lines';

/** What one transaction takes of a stream of lines; `size` is in bytes. */
export async function* inBatches<T>(
  lines: AsyncIterable<SizedLine<T>>,
): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  let size = 0;
  for await (const line of lines) {
    batch.push(line.found);
    size += line.size;
    if (batch.length < batchLines && size < batchBytes) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

export type SizedLine<T> = { found: T; size: number };

/** Each line that is not blank. */
export async function* linesIn(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<SizedLine<ArchiveRecord>> {
  for await (const line of splitLines(bytes)) {
    const record = parseLine(line);
    if (record !== null) yield { found: record, size: line.bytes.length };
  }
}

/** Other processes write between two batches: a batch takes some hundredths of a second. */
const batchLines = 500;
const batchBytes = 4 * 1024 * 1024;

/** Longer than any line that is exported. */
const lineMaxBytes = 16 * 1024 * 1024;

function checkHeaderLine(record: ArchiveRecord): void {
  try {
    checkArchiveHeader('value' in record ? record.value : null);
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw new ApiError('invalid', `${record.place}: ${reason}`, { cause: error });
  }
}

type RawLine = { number: number; bytes: Uint8Array; tooLong: boolean };

/** What a line says; null when it is blank. */
function parseLine({ number, bytes, tooLong }: RawLine): ArchiveRecord | null {
  const place = `line ${number}`;
  if (tooLong) return { place, problem: `is longer than ${lineMaxBytes} bytes` };
  let text: string;
  try {
    text = decoder.decode(bytes).trim();
  } catch {
    return { place, problem: 'is not UTF-8' };
  }
  try {
    return text === '' ? null : { place, value: JSON.parse(text) as unknown };
  } catch {
    return { place, problem: `is not valid JSON${whatIsWrong(text)}` };
  }
}

/** The two that happen: a file without line ends, and one that was cut off. */
function whatIsWrong(text: string): string {
  const seam = /\}\s{0,8}\{/.exec(text);
  if (seam !== null && isJson(text.slice(0, seam.index + 1)))
    return ': two objects are on it, and each needs its own line';
  return text.startsWith('{') && !text.endsWith('}') ? ': its end is missing' : '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Leaves a byte order mark out. */
const decoder = new TextDecoder('utf-8', { fatal: true });

const newline = 0x0a;

async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (): RawLine => {
    const tooLong = length > lineMaxBytes;
    const line = { number, bytes: tooLong ? new Uint8Array() : Buffer.concat(parts), tooLong };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Uint8Array) => {
    length += part.length;
    // Nothing of a line that is too long is kept.
    if (length <= lineMaxBytes) parts.push(part);
    else parts = [];
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
