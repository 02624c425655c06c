import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../../support/engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** What is stored, what the user says then, and which memories have to go. */
type Case = {
  memories: string[];
  say: string;
  forgets: number[];
  unsure: boolean;
};

function readCases(name: string): Case[] {
  const text = readFileSync(new URL(`./${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The memories that are gone after the user has spoken. */
async function goneAfter({ memories, say }: Case, user_id: string): Promise<number[]> {
  const ids: string[] = [];
  for (const text of memories) {
    const { results } = await engine.invoke('add_memory', { text, user_id }, { caller: owner });
    ids.push(results[0]?.id ?? '');
  }
  const messages = [{ role: 'user', content: say }];
  await engine.invoke('add_memory', { messages, user_id, async_mode: false }, { caller: owner });
  const { results } = await engine.invoke('get_memories', { user_id }, { caller: owner });
  const left = new Set(results.map((memory) => memory.id));
  return [...ids.keys()].filter((index) => !left.has(ids[index] ?? ''));
}

/** How many requests forget exactly what is meant, and how many cases lose a memory wrongly. */
async function count(name: string): Promise<{ forgotten: number; wrong: number }> {
  let [forgotten, wrong] = [0, 0];
  for (const [index, one] of readCases(name).entries()) {
    const gone = await goneAfter(one, `${name}-${index}`);
    const isRight = JSON.stringify(gone) === JSON.stringify(one.forgets);
    if (one.forgets.length > 0 && isRight) forgotten += 1;
    if (gone.some((memory) => !one.forgets.includes(memory))) wrong += 1;
  }
  return { forgotten, wrong };
}

/**
 * Of 150 cases each: 70 ask to forget something, mostly in other words, 20 may mean several, and 60
 * ask for nothing. Of the 60 neighbours and the 91 in people's own words half ask for
 * what is stored, half for what only is like it.
 */
it.each([
  ['development', 11],
  ['acceptance', 1],
  ['neighbours', 30],
  ['own-words', 41],
])(
  'requests to forget delete what is meant and nothing else: %s',
  async (name, floor) => {
    const { forgotten, wrong } = await count(name);

    expect(forgotten).toBeGreaterThanOrEqual(floor);
    expect(wrong).toBe(0);
  },
  120_000,
);
