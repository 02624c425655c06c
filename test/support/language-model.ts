import { onTestFinished } from 'vitest';
import { type LanguageModel, openLanguageModel } from '../../src/app/models/language-model.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import type { Message } from '../../src/contract/schemas/message.ts';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import type {
  Conversation,
  Decision,
  ExtractionResult,
  Extractor,
  RelatedMemory,
  TokenUsageTable,
} from '../../src/core/ports/index.ts';
import { createTestClock, type TestClock } from './clock.ts';
import {
  type ModelReply,
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from './model-server.ts';

export type Scripted = LanguageModel & {
  server: ModelServer;
  clock: TestClock;
  read(given: Given): Promise<ExtractionResult>;
};

type Given = Partial<StrictOmit<Conversation, 'messages' | 'known'>> & {
  messages: (string | Message)[];
  known?: (Partial<RelatedMemory> & Pick<RelatedMemory, 'id' | 'memory'>)[];
  signal?: AbortSignal;
};

/** A language model server that responds as the test says. */
export async function scripted(
  options: Record<string, unknown> = {},
  tokens: TokenUsageTable = createTokens(),
): Promise<Scripted> {
  const server = await startModelServer();
  const clock = createTestClock();
  const config = configFromOptions(
    { llm_url: server.url, llm_model: 'tiny', ...options },
    optionNames,
  );
  const language = openLanguageModel(config, {
    clock,
    fallback: wordForWord,
    log: () => {},
    tokens,
  });
  if (language === null) throw new Error('a language model was configured');
  onTestFinished(async () => {
    await language.close();
    await server.close();
  });
  const read = ({ messages, known = [], signal, ...given }: Given) => {
    const conversation: Conversation = {
      said_at: clock.now(),
      settings: { includes: null, excludes: null, instructions: null, categories: null },
      graph: false,
      ...given,
      messages: messages.map((message) =>
        typeof message === 'string' ? { role: 'user', content: message } : message,
      ),
      known: known.map((memory) => ({ ...unknownMemory, ...memory })),
    };
    return language.extractor.extract(conversation, signal ?? new AbortController().signal);
  };
  return { ...language, server, clock, read };
}

/** Counts in memory, like a store. */
export function createTokens(): TokenUsageTable {
  const days = new Map<string, number>();
  const spent = (day: string) => days.get(day) ?? 0;
  return {
    getUsage: async (day) => spent(day),
    addUsage: async (day, tokens) => void days.set(day, spent(day) + tokens),
  };
}

/** A memory of the user's of which nothing else is known. */
export const unknownMemory = {
  immutable: false,
  created_at: '2026-01-01T00:00:00.000Z',
  type: null,
  slot: null,
  role: 'user',
  speaker: null,
  may_replace: [],
};

/** Replaces the rules, whose extraction these tests are not about. */
const wordForWord: Extractor = {
  extract: async ({ messages }) => ({
    decisions: messages.flatMap(({ content }, message): Decision[] =>
      content === '' ? [] : [{ ...ruled, text: content, message }],
    ),
    by: 'rules',
    notice: null,
    cost: null,
  }),
};

const ruled = {
  event: 'ADD',
  target: null,
  reason: null,
  type: null,
  slot: null,
  occurred: null,
  said: null,
} as const;

/** A response with these decisions; missing fields are empty. */
export function decisions(...items: Record<string, unknown>[]): ModelReply {
  return told(JSON.stringify({ decisions: items.map((item) => ({ ...blank, ...item })) }));
}

const blank = {
  event: 'ADD',
  text: '',
  memory: '',
  message: 1,
  type: 'fact',
  when: '',
  categories: [],
  reason: '',
};

/** A response of a chat model. */
export function told(content: unknown, rest: Record<string, unknown> = {}): ModelReply {
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } };
  const usage = { prompt_tokens: 100, completion_tokens: 20 };
  return { status: 200, body: { choices: [{ ...choice, ...rest }], usage } };
}

/** Responds with one reply after another, and then repeats the last one. */
export function inOrder(...replies: (ModelReply | 'never' | 'closed')[]): ModelServer['reply'] {
  let count = 0;
  return () => {
    count += 1;
    return replies[Math.min(count, replies.length) - 1] ?? null;
  };
}

/** The prompt of a request. */
export function promptIn(request: ModelRequest | undefined): { system: string; user: string } {
  const messages = (request?.body.messages ?? []) as { role: string; content: string }[];
  const of = (role: string) =>
    messages
      .filter((message) => message.role === role)
      .map(({ content }) => content)
      .join('\n');
  return { system: of('system'), user: of('user') };
}
