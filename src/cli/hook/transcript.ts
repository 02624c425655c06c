import { open } from 'node:fs/promises';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';

/** What somebody said. */
export type TranscriptTurn = { role: 'user' | 'assistant'; content: string };

/** The end of a long conversation is read, not all of it. */
const bytesMax = 16 * 1024 * 1024;

/** Longer lines hold the output of tools, or pasted files. */
const lineMaxBytes = 1024 * 1024;

const turnMaxChars = 4000;
const turnsMax = 200;

/**
 * The turns of a transcript of Claude Code (JSON Lines) from a place on, and where to go on the
 * next time: after the last whole line. What cannot be read as a turn is left out.
 */
export async function readTurns(
  path: string,
  from: number,
): Promise<{ turns: TranscriptTurn[]; next: number }> {
  const { bytes, start } = await readTail(path, from);
  const end = bytes.lastIndexOf('\n') + 1;
  const turns = splitLines(bytes.subarray(0, end)).flatMap((line) => parseTurn(line) ?? []);
  return { turns: turns.slice(-turnsMax), next: start + end };
}

async function readTail(path: string, from: number): Promise<{ bytes: Buffer; start: number }> {
  const handle = await open(path).catch((error: unknown) => {
    throw new ApiError('not_found', 'the transcript cannot be read', { cause: error });
  });
  try {
    const status = await handle.stat();
    if (!status.isFile()) throw new ApiError('invalid', 'the transcript is no file');
    // A file that is shorter than it was is another one.
    const known = from <= status.size ? from : 0;
    const start = Math.max(known, status.size - bytesMax);
    const bytes = Buffer.alloc(status.size - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return { bytes: bytes.subarray(0, bytesRead), start };
  } finally {
    await handle.close();
  }
}

function splitLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    const stop = end === -1 ? bytes.length : end;
    if (stop - start <= lineMaxBytes) lines.push(bytes.toString('utf8', start, stop));
    start = stop + 1;
  }
  return lines;
}

/** Not the turns of helpers, nor what the client wrote in the name of the user. */
function parseTurn(line: string): TranscriptTurn | null {
  const entry = parseEntry(line);
  if (entry === null || !isObject(entry.message)) return null;
  if (entry.isMeta === true || entry.isSidechain === true || entry.isCompactSummary === true) {
    return null;
  }
  const { type } = entry;
  if (type !== 'user' && type !== 'assistant') return null;
  const content = extractText(entry.message.content).slice(0, turnMaxChars);
  return content === '' ? null : { role: type, content };
}

function parseEntry(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) ? entry : null;
  } catch {
    return null;
  }
}

/** Text alone: results of tools, images and thoughts are not what somebody said. */
function extractText(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isObject(part) && part.type === 'text' ? part.text : part));
  return texts
    .filter((text) => typeof text === 'string')
    .map(stripMarkup)
    .filter((text) => text !== '')
    .join('\n');
}

/** What the client adds to a turn: reminders, commands, what they printed, what an editor shows. */
const clientMarkupNames = [
  '(?:system|user|task|command|local-command|bash|ide|teammate)[-_][a-z_-]+',
  ...['[a-z-]+-hook', 'new-diagnostics'],
].join('|');
const clientMarkup = new RegExp(`<(${clientMarkupNames})\\b[^<>]*>[\\s\\S]*?(?:</\\1>|$)`, 'g');

/** The pattern looks ahead from every opening: it sees texts of a sane length only. */
const markupMaxChars = 32_000;

/** Turns that the client writes in the name of the user, when it says so in the text alone. */
const clientMessage =
  /^(?:\[Request interrupted|This session is being continued from|Caveat: The messages below)/;

function stripMarkup(text: string): string {
  const said = text.slice(0, markupMaxChars).replace(clientMarkup, '').trim();
  return clientMessage.test(said) ? '' : said;
}
