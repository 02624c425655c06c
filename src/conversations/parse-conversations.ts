import { describeOtherFile } from '../contract/archive/other-file.ts';
import { ApiError } from '../contract/errors.ts';
import { isObject } from '../contract/is-object.ts';
import { tryParseJson } from '../contract/schemas/json.ts';
import { parseChatGptConversation } from './chatgpt.ts';
import { parseClaudeConversation, parseClaudeMemories } from './claude.ts';
import type { ChatSources, SourceText } from './contained-files.ts';
import type { ImportedConversation } from './conversation.ts';
import { parseGeminiActivities } from './gemini.ts';
import { type ChatLeftOut, countLeftOut, sameLeftOut } from './left-out.ts';
import { parseMarkdownConversations } from './markdown.ts';
import { isMessage, parseMessagesConversation } from './messages-json.ts';

export type ParsedChats = {
  chats: ImportedConversation[];
  /** Entries that are not conversations. */
  strays: number;
  /** Pictures, voice notes and other files that belong to them. */
  left_out: ChatLeftOut;
};

/**
 * The conversations in texts of any known format, in order of time. Throws `invalid` when there is
 * none; `next` is what to do with a file of another kind, such as an export of mneme.
 */
export function parseConversations(sources: ChatSources, next: string): ParsedChats {
  const inMessages: ChatLeftOut = {};
  const left_out = { ...sources.left_out };
  const items = sources.texts.flatMap((each) => {
    const parsed = parseItems(each, inMessages);
    if (!sources.isContainer || parsed.some((item) => item !== null)) return parsed;
    countLeftOut(left_out, 'other');
    return [];
  });
  const chats = items.filter((item) => item !== null);
  if (chats.length === 0) throw noConversation(sources, next);
  const strays = items.length - chats.length;
  return { chats: sortByStart(chats), strays, left_out: sameLeftOut(left_out, inMessages) };
}

function noConversation({ name, texts, isContainer }: ChatSources, next: string): ApiError {
  const [first] = texts;
  const values = first === undefined ? null : parseJsonItems(first);
  const what = values === null ? null : describeOtherFile(values);
  if (what !== null && !isContainer)
    return new ApiError('invalid', `${name} looks like ${what}, not like conversations`, { next });
  const why = isContainer ? 'no conversations.json, and ' : '';
  return new ApiError('invalid', `${name} holds ${why}no conversation that mneme can read`, {
    next: 'mneme reads exports of ChatGPT and Claude, Markdown and JSON: docs/moving-data.md.',
  });
}

/** Conversations, and null for each entry that is not one. */
function parseItems(source: SourceText, left_out: ChatLeftOut): (ImportedConversation | null)[] {
  const values = parseJsonItems(source);
  if (values === null) return parseMarkdownConversations(source.text);
  if (values.length > 0 && values.every(isMessage))
    return [parseMessagesConversation({ messages: values }, left_out)];
  const activities = parseGeminiActivities(values);
  if (activities !== null) return activities;
  return values.map((value) => {
    const chat =
      parseChatGptConversation(value, left_out) ??
      parseClaudeConversation(value, left_out) ??
      parseMessagesConversation(value, left_out) ??
      parseClaudeMemories(value);
    return chat !== null && chat.turns.length > 0 ? chat : null;
  });
}

/** The entries of a JSON list, of the list in an object, or of JSON Lines; null for other text. */
function parseJsonItems({ name, text: content }: SourceText): unknown[] | null {
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

/** Later statements correct earlier ones; without times the order of the file counts. */
function sortByStart(chats: readonly ImportedConversation[]): ImportedConversation[] {
  const start = ({ turns }: ImportedConversation) => turns[0]?.at ?? Number.POSITIVE_INFINITY;
  return [...chats].sort((one, other) =>
    start(one) === start(other) ? 0 : start(one) - start(other),
  );
}
