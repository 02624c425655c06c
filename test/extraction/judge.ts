import type { Selection } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { type Conversation, type Expected, holdsGist } from './corpus.ts';

/** What counts: how many there should be, how many there are, and how many of these are right. */
export type Count = { expected: number; found: number; right: number };

export const kinds = [
  'memories',
  'types',
  'times',
  'supersessions',
  'drops',
  'redactions',
  'categories',
] as const;
export type Kind = (typeof kinds)[number];
export type Counts = Record<Kind, Count>;

export type Verdict = { conversation: Conversation; counts: Counts; wrong: string[] };

type Found = Pick<Expected, 'text' | 'type' | 'occurred'> & {
  /** What it took the place of, or may. */
  before: string[];
  /** Another memory may replace it. */
  isDoubted: boolean;
  categories: string[];
};

/** Runs each conversation through the engine, as its user's own, and compares what is stored. */
export async function judgeAll(conversations: readonly Conversation[]): Promise<Verdict[]> {
  const engine = await startEngine();
  try {
    const verdicts: Verdict[] = [];
    for (const [index, conversation] of conversations.entries()) {
      const user_id = `user-${index}`;
      const texts = await run(engine, conversation, user_id);
      const found = await storedOf(engine, user_id);
      verdicts.push(judge(conversation, found, texts));
    }
    return verdicts;
  } finally {
    await engine.stop();
  }
}

/** Answers all that the events and histories hold, as text. */
async function run(engine: Engine, { adds }: Conversation, user_id: string): Promise<string> {
  const texts: unknown[] = [];
  for (const { said_at, messages } of adds) {
    const timestamp = Math.floor(Date.parse(said_at) / 1000);
    const input = { messages, user_id, timestamp, async_mode: false };
    const { event_id } = await engine.invoke('add_memory', input, { caller: owner });
    texts.push(await engine.invoke('get_event', { event_id }, { caller: owner }));
  }
  return JSON.stringify(texts);
}

async function storedOf(engine: Engine, user_id: string): Promise<(Found & { all: string })[]> {
  const { own } = engine.projects;
  const selection: Selection = {
    filter: { field: 'user_id', path: [], operator: 'eq', value: user_id },
    latest_only: true,
    not_expired_on: null,
    status: 'active' as const,
  };
  const memories = await engine.store.memories.listOldest(own, selection, 100);
  const texts = new Map(memories.map(({ id, memory }) => [id, memory]));
  const doubted = new Set(memories.flatMap(({ may_replace }) => may_replace));
  return Promise.all(
    memories.map(async (memory) => {
      const history = await engine.store.history.list(own, memory.id);
      const mayBeOver = memory.may_replace.flatMap((id) => texts.get(id) ?? []);
      const { type, categories, occurred_at, occurred_granularity: granularity } = memory;
      const time = occurred_at?.slice(0, granularity === 'minute' ? 16 : 10);
      return {
        text: memory.memory,
        type,
        categories,
        occurred: time === undefined ? '' : `${time} ${granularity}`,
        before: [...history.flatMap(({ old_memory }) => old_memory ?? []), ...mayBeOver],
        isDoubted: doubted.has(memory.id),
        all: JSON.stringify([memory, history]),
      };
    }),
  );
}

function judge(
  conversation: Conversation,
  found: readonly (Found & { all: string })[],
  texts: string,
): Verdict {
  const { memories, secrets, dropped } = conversation;
  const wrong: string[] = [];
  const note = (isRight: boolean, text: string) => {
    if (!isRight) wrong.push(text);
    return isRight ? 1 : 0;
  };
  const all = texts + found.map((memory) => memory.all).join();
  const judged = secrets.length === 0 || memories.length > 0;
  const wanted = memories.filter(({ is_optional }) => !is_optional);
  const pairs = wanted.flatMap((expected): [Expected, Found][] => {
    const same = found.find(({ text }) => isText(text, expected));
    if (same === undefined) wrong.push(`missing: ${expected.text}`);
    return same === undefined ? [] : [[expected, same]];
  });
  const junk = judged
    ? found.filter((one) => !one.isDoubted && !memories.some((e) => isText(one.text, e)))
    : [];
  for (const { text } of junk) wrong.push(`too much: ${text}`);
  // Of a gist without brackets nothing is said of when it happens either.
  const timed = pairs.filter(([{ gist, type }]) => gist === null || type !== null);
  const typed = pairs.filter(([{ type }]) => type !== null);
  const held = (words: string) => found.some(({ text }) => text.includes(words));
  const kept = dropped.filter((words) => note(!held(words), `kept: ${words}`) === 0).length;
  const counts: Counts = {
    memories: {
      expected: wanted.length,
      right: pairs.length,
      found: pairs.length + junk.length,
    },
    types: {
      expected: typed.length,
      found: typed.length,
      right: sum(typed, ([{ type, text }, one]) => note(one.type === type, `${one.type}: ${text}`)),
    },
    times: {
      expected: timed.filter(([{ occurred }]) => occurred !== '').length,
      found: timed.filter(([, { occurred }]) => occurred !== '').length,
      right: sum(timed, ([{ occurred, text }, one]) => {
        const isRight = note(one.occurred === occurred, `${one.occurred || 'no time'}: ${text}`);
        return occurred === '' ? 0 : isRight;
      }),
    },
    supersessions: {
      expected: sum(memories, ({ before }) => before.length),
      found: sum(found, ({ before }) => before.length),
      right: sum(pairs, ([expected, one]) =>
        sum(expected.before, (text) => note(wasBefore(text, expected, one), `not before: ${text}`)),
      ),
    },
    drops: { expected: dropped.length, found: dropped.length, right: dropped.length - kept },
    redactions: {
      expected: secrets.length,
      found: secrets.length,
      right: sum(secrets, (secret) => note(!all.includes(secret), `holds ${secret}`)),
    },
    categories: countCategories(pairs, wrong),
  };
  if (memories.length === 0 && secrets.length === 0) {
    counts.drops.expected += 1;
    counts.drops.found += 1;
    counts.drops.right += found.length === 0 ? 1 : 0;
  }
  return { conversation, counts, wrong };
}

function isText(text: string, expected: Expected): boolean {
  return expected.gist === null ? text === expected.text : holdsGist(text, expected.gist);
}

function wasBefore(text: string, expected: Expected, { before }: Found): boolean {
  if (expected.gist === null) return before.includes(text);
  return before.some((one) => holdsGist(one, text.split(' / ')));
}

/** Of the memories whose categories the corpus names. */
function countCategories(pairs: readonly (readonly [Expected, Found])[], wrong: string[]): Count {
  const count = { expected: 0, found: 0, right: 0 };
  for (const [{ text, categories }, { categories: found }] of pairs) {
    if (categories === null) continue;
    const right = found.filter((category) => categories.includes(category)).length;
    count.expected += categories.length;
    count.found += found.length;
    count.right += right;
    if (right < categories.length || right < found.length) {
      wrong.push(`in ${found.join(', ') || 'no category'}, not ${categories.join(', ')}: ${text}`);
    }
  }
  return count;
}

function sum<T>(values: readonly T[], count: (value: T) => number): number {
  return values.reduce((total, value) => total + count(value), 0);
}

/** All counts of a kind together. */
export function total(verdicts: readonly Verdict[], kind: Kind): Count {
  const parts = verdicts.map(({ counts }) => counts[kind]);
  return {
    expected: sum(parts, ({ expected }) => expected),
    found: sum(parts, ({ found }) => found),
    right: sum(parts, ({ right }) => right),
  };
}
