import { ApiError } from '../../contract/errors.ts';
import { HttpError } from './errors.ts';

/** Strict, because invalid UTF-8 would be stored as different text. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the text of a request body, empty when there is none. Stops at the limit, even without a
 * Content-Length.
 */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  const announced = request.headers.get('Content-Length');
  if (announced !== null && Number(announced) > maxBytes) throw bodyTooLarge(maxBytes);
  if (announced === '0') return '';
  const bytes = await (announced === null
    ? readStream(request.body, maxBytes)
    : readAll(request)
  ).catch(throwIncompleteBody);
  if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes);
  if (bytes.length > 0) checkContentHeaders(request.headers);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new ApiError('invalid', 'the body is not valid UTF-8', { cause });
  }
}

/**
 * More than any valid input has, so that what reads it can neither exhaust the stack nor take long:
 * levels, entries of one list or object, and entries of all together.
 */
const shapeMax = { levels: 100, entriesOfOne: 5000, entries: 100_000 };

/** The JSON of a body; undefined for an empty one. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  checkShape(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid', 'the body is not valid JSON', { cause });
  }
}

async function readAll(request: Request): Promise<Uint8Array> {
  return new Uint8Array(await request.arrayBuffer());
}

/** The client has disconnected: not an error of the server. */
function throwIncompleteBody(cause: unknown): never {
  if (cause instanceof ApiError) throw cause;
  throw new ApiError('invalid', 'the body ended before it was complete', { cause });
}

/** Counts brackets and commas outside strings. Reads each character once. */
function checkShape(text: string): void {
  const commas = [0];
  let all = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === ',') {
      const own = (commas.pop() ?? 0) + 1;
      commas.push(own);
      all += 1;
      if (own >= shapeMax.entriesOfOne) throw tooMany('one list or object', shapeMax.entriesOfOne);
      if (all >= shapeMax.entries) throw tooMany('all', shapeMax.entries);
    } else if (char === '[' || char === '{') {
      commas.push(0);
      const { levels } = shapeMax;
      if (commas.length > levels + 1)
        throw new ApiError('invalid', `the body is nested too deeply; at most ${levels} levels`);
    } else if (char === ']' || char === '}') commas.pop();
  }
}

function tooMany(where: string, max: number): ApiError {
  return new ApiError('invalid', `the body has too many entries in ${where}; at most ${max}`);
}

/** The end of the string that begins here, or of the text when it is not closed. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}

async function readStream(stream: ReadableStream<Uint8Array> | null, maxBytes: number) {
  if (stream === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    size += read.value.length;
    if (size <= maxBytes) continue;
    await reader.cancel();
    throw bodyTooLarge(maxBytes);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** Some clients send no type; a type that is sent must be uncompressed JSON. */
function checkContentHeaders(headers: Headers): void {
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    throw new HttpError(415, 'the body must not be compressed: send it without Content-Encoding');
  }
  const type = headers.get('Content-Type');
  if (type === null || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type.trim())) return;
  throw new HttpError(415, 'the body must be JSON: send Content-Type: application/json');
}

function bodyTooLarge(maxBytes: number): ApiError {
  return new ApiError('too_large', `the body is too large; at most ${maxBytes} bytes`);
}
