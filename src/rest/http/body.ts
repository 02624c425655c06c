import { ApiError } from '../../contract/errors.ts';
import { HttpError } from './errors.ts';

/** Strict: what is no UTF-8 would be stored as something else than was sent. */
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a request's body, empty when there is none. Stops reading at the limit, also where no
 * Content-Length announced how much would come.
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
    throw new ApiError('invalid', 'the body is no valid UTF-8', { cause });
  }
}

/** Deeper than any input means to be; what recurses over a body must not run out of stack. */
const nestingMax = 100;

/** The JSON of a body; undefined for an empty one. */
export function parseBody(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (nestingDepth(text) > nestingMax) {
    throw new ApiError('invalid', `the body is nested too deep; at most ${nestingMax} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('invalid', 'the body is no valid JSON', { cause });
  }
}

async function readAll(request: Request): Promise<Uint8Array> {
  return new Uint8Array(await request.arrayBuffer());
}

/** A client that went away is told nothing any more; it is no failure of ours. */
function throwIncompleteBody(cause: unknown): never {
  if (cause instanceof ApiError) throw cause;
  throw new ApiError('invalid', 'the body ended before it was complete', { cause });
}

/** How deep brackets stand in each other, strings apart. Looks once at each character. */
function nestingDepth(text: string): number {
  let level = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '[' || char === '{') level += 1;
    else if (char === ']' || char === '}') level -= 1;
    if (level > deepest) deepest = level;
  }
  return deepest;
}

/** Where the string that begins here ends; at the end of the text when it is not closed. */
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

/** Some clients name no type; those that name one must mean JSON, as it is. */
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
