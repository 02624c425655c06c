import { text } from 'node:stream/consumers';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { openFile } from '../io/open-file.ts';
import { parseChatGptConversation } from './chatgpt.ts';
import { parseClaudeConversation } from './claude.ts';
import type { ImportedConversation } from './conversation.ts';
import { parseMarkdownConversations } from './markdown.ts';
import { isMessage, parseMessagesConversation } from './messages-json.ts';
import { isZip, readZip } from './zip.ts';

/** The longest string that V8 can hold. */
const bytesMax = 500 * 1024 * 1024;

/**
 * Reads the conversations in a file of any known format, in order of time; `strays` counts the
 * entries that are not conversations. Throws `invalid` when there is none, `not_found`,
 * `too_large`.
 */
export async function readConversations(
  file: string,
): Promise<{ chats: ImportedConversation[]; strays: number }> {
  const items = (await readTexts(file)).flatMap(({ name, text }) => parseItems(name, text));
  const chats = items.filter((item) => item !== null);
  if (chats.length === 0) {
    throw new ApiError('invalid', `${file} holds no conversation that mneme can read`, {
      next: 'mneme reads exports of ChatGPT and Claude, Markdown and JSON: docs/moving-data.md.',
    });
  }
  return { chats: sortByStart(chats), strays: items.length - chats.length };
}

type NamedText = { name: string; text: string };

async function readTexts(file: string): Promise<NamedText[]> {
  if (file === '-') return [{ name: 'standard input', text: await text(process.stdin) }];
  const handle = await openFile(file);
  try {
    if (await isZip(handle)) return await readZip(file, bytesMax);
    checkSize(file, (await handle.stat()).size);
    return [{ name: file, text: await handle.readFile('utf8') }];
  } finally {
    await handle.close();
  }
}

function checkSize(file: string, bytes: number): void {
  if (bytes <= bytesMax) return;
  throw new ApiError(
    'too_large',
    `${file} is over ${bytesMax / 1024 / 1024} MB; split it into parts`,
  );
}

/** Conversations, and null for each entry that is not one. */
function parseItems(name: string, written: string): (ImportedConversation | null)[] {
  const content = written.replace(/^\ufeff/, '');
  const values = parseJsonItems(name, content);
  if (values === null) return parseMarkdownConversations(content);
  if (values.length > 0 && values.every(isMessage))
    return [parseMessagesConversation({ messages: values })];
  return values.map((value) => {
    const chat =
      parseChatGptConversation(value) ??
      parseClaudeConversation(value) ??
      parseMessagesConversation(value);
    return chat !== null && chat.turns.length > 0 ? chat : null;
  });
}

/** The entries of a JSON list, of the list in an object, or of JSON Lines; null for other text. */
function parseJsonItems(name: string, content: string): unknown[] | null {
  const start = content.trimStart()[0];
  if (start !== '[' && start !== '{') return null;
  const whole = tryParseJson(content);
  if (Array.isArray(whole)) return whole;
  if (isObject(whole)) return Array.isArray(whole.conversations) ? whole.conversations : [whole];
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(tryParseJson);
  if (lines.length > 1 && values[0] !== undefined) {
    const wrong = values.indexOf(undefined);
    if (wrong === -1) return values;
    throw new ApiError(
      'invalid',
      `${name}: line ${wrong + 1} is not JSON; the file may be cut off`,
    );
  }
  // Markdown may begin with a link.
  if (start === '[' && /^\s*\[[^\]\n]*\][(:]/.test(content)) return null;
  throw new ApiError('invalid', `${name} is not complete JSON; it may be cut off`);
}

function tryParseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Later statements correct earlier ones; without times the order of the file counts. */
function sortByStart(chats: readonly ImportedConversation[]): ImportedConversation[] {
  const start = ({ turns }: ImportedConversation) => turns[0]?.at ?? Number.POSITIVE_INFINITY;
  return [...chats].sort((one, other) =>
    start(one) === start(other) ? 0 : start(one) - start(other),
  );
}
