import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { toUnixSeconds } from '../../conversations/conversation.ts';
import { openRegularFile } from '../../regular-file.ts';

/** One message. `at` is in Unix seconds; null where the line has no time. */
export type TranscriptTurn = { role: 'user' | 'assistant'; content: string; at: number | null };

/** Only the end of a long conversation is read. */
const bytesMax = 16 * 1024 * 1024;

/** Longer lines hold the output of tools, or pasted files. */
const lineMaxBytes = 1024 * 1024;

const turnMaxChars = 4000;
const turnsMax = 200;

/**
 * Reads the turns of a Claude Code transcript (JSON Lines) from a byte offset, and returns the
 * offset for the next time: after the last complete line. Lines that are not turns are skipped.
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
  const handle = await openRegularFile(path, 'the transcript').catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    throw new ApiError('not_found', 'the transcript cannot be read', { cause: error });
  });
  try {
    const status = await handle.stat();
    // A file that has become shorter is a new one.
    const offset = from <= status.size ? from : 0;
    const start = Math.max(offset, status.size - bytesMax);
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

/** Skips the turns of sub-agents, and those that the client wrote as the user. */
function parseTurn(line: string): TranscriptTurn | null {
  const entry = parseEntry(line);
  if (entry === null || !isObject(entry.message)) return null;
  if (entry.isMeta === true || entry.isSidechain === true || entry.isCompactSummary === true) {
    return null;
  }
  const { type } = entry;
  if (type !== 'user' && type !== 'assistant') return null;
  const content = extractText(entry.message.content).slice(0, turnMaxChars);
  return content === '' ? null : { role: type, content, at: toUnixSeconds(entry.timestamp) };
}

function parseEntry(line: string): Record<string, unknown> | null {
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) ? entry : null;
  } catch {
    return null;
  }
}

/** Only text: tool results, images and thoughts are not part of the conversation. */
function extractText(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (isObject(part) && part.type === 'text' ? part.text : part));
  return texts
    .filter((text) => typeof text === 'string')
    .map(stripMarkup)
    .filter((text) => text !== '')
    .join('\n');
}

/** Tags that the client adds to a turn: reminders, commands and their output, editor state. */
const clientMarkupNames = [
  '(?:system|user|task|command|local-command|bash|ide|teammate)[-_][a-z_-]+',
  '[a-z-]+-hook',
  'new-diagnostics',
].join('|');
const clientMarkup = new RegExp(`<(${clientMarkupNames})\\b[^<>]*>[\\s\\S]*?(?:</\\1>|$)`, 'g');

/** The pattern scans ahead from every opening tag, so its input is limited. */
const markupMaxChars = 32_000;

/** Turns that the client writes as the user, recognizable only by their text. */
const clientMessage =
  /^(?:\[Request interrupted|This session is being continued from|Caveat: The messages below)/;

function stripMarkup(text: string): string {
  const message = text.slice(0, markupMaxChars).replace(clientMarkup, '').trim();
  return clientMessage.test(message) ? '' : message;
}
