import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../src/contract/schemas/message.ts';

/** A memory that a conversation should leave behind; null where nothing is said of that. */
export type Expected = {
  /** The text itself; of a memory known by its gist, its line. */
  text: string;
  /** What a text holds, part by part, where its words are free; null where they are not. */
  gist: string[] | null;
  /** It may be there, and need not. */
  is_optional: boolean;
  type: string | null;
  /** `2026-03-13 day`; empty where the memory should have no time of its own. */
  occurred: string;
  /** What it said before. */
  before: string[];
  /** Of the default catalogue; null where nothing is said of them. */
  categories: string[] | null;
};

/** What is written in a file of `corpus/`; its first lines say how. */
export type Conversation = {
  language: string;
  /** Adds, one after the other, each said at a time of its own. */
  adds: { said_at: string; messages: Message[] }[];
  memories: Expected[];
  /** Words that must be nowhere in the store. */
  secrets: string[];
  /** Words that are in no memory. */
  dropped: string[];
};

/** `corpus`: the rules were made with it; `held-out`: it was written before the rules saw it. */
export type Corpus = 'corpus' | 'held-out';

export function loadCorpus(name: Corpus = 'corpus'): Conversation[] {
  const folder = join('test', 'extraction', name);
  const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
  return files.flatMap((file) => {
    const language = file.replace('.txt', '');
    return readFileSync(join(folder, file), 'utf8')
      .split(/\n\s*\n/)
      .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
      .filter((lines) => lines.length > 0)
      .map((lines) => readConversation(language, lines));
  });
}

const firstTime = '2026-03-14T09:26:53.000Z';

function readConversation(language: string, lines: readonly string[]): Conversation {
  const conversation: Conversation = {
    language,
    adds: [{ said_at: firstTime, messages: [] }],
    memories: [],
    secrets: [],
    dropped: [],
  };
  for (const line of lines) readLine(line, conversation);
  return conversation;
}

function readLine(line: string, { adds, memories, secrets, dropped }: Conversation): void {
  const rest = line.slice(2);
  if (line.startsWith('@ ')) adds.push({ said_at: `${rest}T09:00:00.000Z`, messages: [] });
  else if (line.startsWith('= ')) memories.push(readMemory(rest));
  else if (/^[*?] /.test(line)) memories.push(readGist(line));
  else if (line.startsWith('+ ')) file(memories.at(-1), rest);
  else if (line.startsWith('~ ')) memories.at(-1)?.before.push(rest);
  else if (line.startsWith('x ')) secrets.push(rest);
  else if (line.startsWith('- ')) dropped.push(rest);
  else adds.at(-1)?.messages.push(readTurn(line));
}

function readTurn(line: string): Message {
  const found = /^(?<name>\p{L}*)(?<mark>[><]) (?<content>.+)$/u.exec(line);
  const { name = '', mark, content = '' } = found?.groups ?? {};
  if (mark === undefined) throw new Error(`no turn: ${line}`);
  const role = mark === '<' ? 'assistant' : 'user';
  const lines = content.replaceAll('\\n', '\n');
  return { role, content: lines, ...(name !== '' && { name }) };
}

function file(memory: Expected | undefined, names: string): void {
  if (memory !== undefined) memory.categories = names === 'none' ? [] : names.split(', ');
}

function readMemory(line: string): Expected {
  const found = /^(?<text>.+?)(?: \[(?<type>[a-z]+)(?: (?<occurred>[^\]]+))?\])?$/.exec(line);
  const { text = '', type = null, occurred = '' } = found?.groups ?? {};
  const rest = { gist: null, is_optional: false, before: [], categories: null };
  return { text, type, occurred, ...rest };
}

function readGist(line: string): Expected {
  const memory = readMemory(line.slice(2));
  return { ...memory, gist: memory.text.split(' / '), is_optional: line.startsWith('? ') };
}

/** Whether a text holds all parts of a gist, each of which may be said in several ways. */
export function holdsGist(text: string, gist: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return gist.every((part) => part.split('|').some((way) => lower.includes(way.toLowerCase())));
}
