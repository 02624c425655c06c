import { ApiError } from '../errors.ts';

/**
 * The text of a file: UTF-16 where it begins with the mark of it, as some editors on Windows save,
 * else UTF-8. Throws `invalid` for any other: a sign that is replaced would be stored as it looks.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = markedEncoding(bytes);
  try {
    return new TextDecoder(encoding ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw encoding === null
      ? notEncoded(`${name}: line ${wrongLine(bytes)} is not UTF-8`, error)
      : notEncoded(`${name} is not UTF-16 to its end`, error);
  }
}

/** The bytes as UTF-8, as they come: UTF-16 has its mark at the beginning. */
export async function* inUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decode: ((part?: Uint8Array) => Uint8Array) | null = null;
  let isFirst = true;
  for await (const part of bytes) {
    const encoding = isFirst ? markedEncoding(part) : null;
    if (encoding !== null) decode = utf16Decoding(encoding);
    isFirst = false;
    yield decode === null ? part : decode(part);
  }
  if (decode !== null) yield decode();
}

/** A part may end within a sign. */
function utf16Decoding(encoding: 'utf-16le' | 'utf-16be'): (part?: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (part) => {
    try {
      return Buffer.from(decoder.decode(part, { stream: part !== undefined }));
    } catch (error) {
      throw notEncoded('the file is not UTF-16 to its end', error);
    }
  };
}

function notEncoded(what: string, cause: unknown): ApiError {
  return new ApiError('invalid', what, { next: 'Save the file as UTF-8.', cause });
}

function markedEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function wrongLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(start, stop));
    } catch {
      break;
    }
    start = stop + 1;
  }
  return line;
}
