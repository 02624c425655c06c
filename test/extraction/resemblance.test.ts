import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;
let users = 0;

beforeAll(async () => {
  engine = await startEngine({ tables: true });
});
afterAll(() => engine.stop());

type Add = { text: string; user_id: string; metadata?: Record<string, unknown> };

async function add(input: Add) {
  const { results } = await engine.invoke(
    'add_memory',
    { ...input, find_similar: true },
    { caller: owner },
  );
  return results[0];
}

/** A user who has told these things, one by one. */
async function userWith(...texts: readonly string[]) {
  users += 1;
  const user_id = `user-${users}`;
  const ids: string[] = [];
  for (const text of texts) ids.push((await add({ text, user_id }))?.id ?? '');
  return { user_id, ids };
}

it('a text says which memories it resembles, the most alike first', async () => {
  const { user_id, ids } = await userWith(
    'My daughter Mia is allergic to peanuts',
    'Our bins are collected on Thursdays',
    'Mia cannot eat nuts',
  );

  const result = await add({ text: 'Mia has a peanut allergy', user_id });

  expect(result).toMatchObject({ event: 'ADD' });
  expect(result?.similar?.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
  const scores = result?.similar?.map(({ score }) => score) ?? [];
  expect(scores).toEqual([...scores].sort().reverse());
});

it.each([
  ['I live in Paris', 'I live in Rome'],
  ['My manager is Anna.', 'My manager is Paul.'],
  ['Ich wohne in Berlin.', 'Ich wohne jetzt in Hamburg.'],
  ['I play water polo', "I don't play water polo"],
])('after "%s", "%s" says what it contradicts, and changes nothing', async (before, after) => {
  const { user_id, ids } = await userWith(before);

  const result = await add({ text: after, user_id });

  expect(result).toMatchObject({ event: 'ADD', may_replace: ids });
  expect(result?.reason).toContain(`: ${before}; update_memory or delete_memory decides`);
  expect(result).not.toHaveProperty('similar');
  const { results } = await engine.invoke('get_memories', { user_id }, { caller: owner });
  expect(results.map(({ memory }) => memory).sort()).toEqual([before, after].sort());
});

it.each(['my  dog is called REX', 'My dog is called Rex', 'MY DOG\nIS CALLED REX '])(
  '"%s" is not stored beside "My dog is called Rex"',
  async (text) => {
    const { user_id, ids } = await userWith('My dog is called Rex');

    const result = await add({ text, user_id });

    expect(result).toMatchObject({
      event: 'NOOP',
      id: ids[0],
      reason: `duplicate of ${ids[0]}`,
    });
  },
);

it('what belongs to somebody else is never said to be alike', async () => {
  await userWith('My daughter Mia is allergic to peanuts');
  const { user_id } = await userWith('Our bins are collected on Thursdays');

  const result = await add({ text: 'My daughter Mia is allergic to peanuts', user_id });

  expect(result).toMatchObject({ event: 'ADD' });
  expect(result).not.toHaveProperty('similar');
});

it('events keep nothing of what similar memories say', async () => {
  const { user_id } = await userWith('My daughter Mia is allergic to peanuts');
  const input = { text: 'Mia has a peanut allergy', user_id, find_similar: true };
  const { event_id } = await engine.invoke('add_memory', input, { caller: owner });

  const event = await engine.invoke('get_event', { event_id }, { caller: owner });

  expect(JSON.stringify(event)).not.toContain('allergic');
  expect(event.payload).not.toHaveProperty('find_similar');
});

it('who does not ask hears of none', async () => {
  const { user_id } = await userWith('I live in Paris');
  const input = { text: 'I live in Rome', user_id };

  const { results } = await engine.invoke('add_memory', input, { caller: owner });

  expect(results[0]).toMatchObject({ event: 'ADD' });
  expect(results[0]).not.toHaveProperty('similar');
});

it('messages of a conversation are kept, each as it was said', async () => {
  const { user_id } = await userWith('OK');
  const messages = ['ok', 'Ok', 'OK!'].map((content) => ({ role: 'user', content }));

  const input = { messages, infer: false, user_id, find_similar: true };
  const { results } = await engine.invoke('add_memory', input, { caller: owner });

  expect(results.map(({ event }) => event)).toEqual(['ADD', 'ADD', 'ADD']);
});
