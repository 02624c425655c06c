import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeQuery } from '../../src/core/language/terms-of-text.ts';
import type { Selection } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

/** A line of `conversations/*.jsonl`; `conversations/README.md` says what it means. */
type TestConversation = {
  id: string;
  language: string;
  date: string;
  memories_before?: string[];
  messages: { role: string; content: string }[];
  expected: { fact: string; class: string }[];
  must_not: { text: string; class: string }[];
};

type ConversationVerdict = {
  conversation: TestConversation;
  /** What is stored after it, without what was stored before. */
  stored: string[];
  /** Those that hold one of the expected facts. */
  right: string[];
  /** The expected facts that are not found. */
  missing: TestConversation['expected'];
};

export function readConversations(name: string): TestConversation[] {
  const file = join('test', 'extraction', 'conversations', `${name}.jsonl`);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line): TestConversation => JSON.parse(line));
}

/** Adds each conversation as one, with its own user, and compares the words of what is stored. */
export async function judgeConversations(
  conversations: readonly TestConversation[],
): Promise<ConversationVerdict[]> {
  const engine = await startEngine();
  try {
    const verdicts: ConversationVerdict[] = [];
    for (const conversation of conversations) {
      const stored = await storedAfter(engine, conversation);
      verdicts.push(judge(conversation, stored));
    }
    return verdicts;
  } finally {
    await engine.stop();
  }
}

async function storedAfter(engine: Engine, conversation: TestConversation): Promise<string[]> {
  const { id: user_id, messages, memories_before = [], date } = conversation;
  const timestamp = Math.floor(Date.parse(date) / 1000);
  const before = timestamp - 30 * 24 * 60 * 60;
  for (const text of memories_before) {
    await engine.invoke('add_memory', { text, user_id, timestamp: before }, { caller: owner });
  }
  const input = { messages, user_id, timestamp, async_mode: false };
  await engine.invoke('add_memory', input, { caller: owner });
  const selection: Selection = {
    filter: { field: 'user_id', path: [], operator: 'eq', value: user_id },
    latest_only: true,
    not_expired_on: null,
    status: 'active' as const,
  };
  const found = await engine.store.memories.listOldest(engine.projects.own, selection, 200);
  return found.map(({ memory }) => memory).filter((memory) => !memories_before.includes(memory));
}

/** A memory holds a fact if it has most of its words. */
function judge(conversation: TestConversation, stored: string[]): ConversationVerdict {
  const holds = (memory: string, fact: string) => shareOf(fact, memory) >= sameMin;
  const { expected } = conversation;
  return {
    conversation,
    stored,
    right: stored.filter((memory) => expected.some(({ fact }) => holds(memory, fact))),
    missing: expected.filter(({ fact }) => !stored.some((memory) => holds(memory, fact))),
  };
}

const sameMin = 0.5;

function shareOf(fact: string, memory: string): number {
  const own = termsOf(fact);
  const other = termsOf(memory);
  return own.size === 0 ? 0 : [...own].filter((term) => other.has(term)).length / own.size;
}

const notTold = new Set(
  analyzeQuery('user users utilisateur utilisatrice usuario usuaria utente benutzer nutzer') //
    .concat(analyzeQuery('nutzerin benutzerin пользователь usuária usuário ユーザー 用户')),
);

function termsOf(text: string): Set<string> {
  return new Set(analyzeQuery(text).filter((term) => !notTold.has(term)));
}
