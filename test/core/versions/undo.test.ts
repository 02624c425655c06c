import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isPostgres } from '../../support/database.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';
import { longTries, timeFor } from '../../support/rounds.ts';
import { directTarget, type Target } from '../../support/targets.ts';

let engine: Engine;
let target: Target;
let users = 0;

beforeAll(async () => {
  engine = await startEngine();
  target = directTarget(engine, owner);
});
afterAll(() => engine.stop());

const changes = {
  add: ({ text, user_id }) => target.call('add_memory', { text, user_id, metadata: { text } }),
  tell: ({ text, user_id }) => {
    const messages = [{ role: 'user', content: told[text.length % told.length] }];
    return target.call('add_memory', { messages, user_id, async_mode: false });
  },
  reword: ({ id, text }) => target.call('update_memory', { memory_id: id, text }),
  file: ({ id, text }) => target.call('update_memory', { memory_id: id, metadata: { text } }),
  date: ({ id }) => target.call('update_memory', { memory_id: id, valid_from: '2020-01-01' }),
  expire: ({ id }) =>
    target.call('update_memory', { memory_id: id, expiration_date: '2030-01-01' }),
  pin: ({ id }) => target.call('update_memory', { memory_id: id, pinned: true }),
  delete: ({ id }) => target.call('delete_memory', { memory_id: id }),
  rewordAll: ({ ids, text }) => {
    const memories = ids.map((memory_id, index) => ({ memory_id, text: `${text} ${index}` }));
    return target.call('batch_update_memories', { memories });
  },
  deleteSome: ({ ids }) => {
    const memories = ids.slice(0, 2).map((memory_id) => ({ memory_id }));
    return target.call('batch_delete_memories', { memories });
  },
  clear: ({ user_id }) => target.call('delete_all_memories', { user_id }),
  undo: ({ user_id }) => target.call('undo_changes', { user_id }),
} satisfies Record<string, (one: Change) => Promise<unknown>>;

const told = [
  'I live in Paris.',
  'I moved to Rome in May 2024.',
  'I am allergic to peanuts, and my cat is called Biscuit.',
  "I'm no longer allergic to peanuts.",
  'My email is ann@example.com.',
  'Forget that I live in Rome.',
] as const;

type Change = { user_id: string; text: string; id: string; ids: string[] };
const ofNone = ['add', 'tell', 'clear', 'undo'];

const step = fc.record({
  what: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  which: fc.nat(1000),
  word: fc.constantFrom('apple', 'river', 'copper', 'violin'),
  passes: fc.constantFrom(0, 1, 60_000),
});
const steps = fc.array(step, { maxLength: 8 });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it(
  'any changes and their undo leave what was there before, and undoing that the changes',
  async () => {
    const sequences = fc.asyncProperty(steps, steps, async (before, undone) => {
      users += 1;
      const user_id = `user ${users}`;
      for (const one of before) await carryOut(one, user_id);
      engine.clock.advance(1);
      const [first, since] = [await read(user_id), engine.clock.now()];
      engine.clock.advance(1);
      for (const one of undone) await carryOut(one, user_id);
      engine.clock.advance(1);
      const [last, changedSince] = [await read(user_id), engine.clock.now()];
      engine.clock.advance(1);

      await target.call('undo_changes', { user_id, since });
      expect(await read(user_id)).toEqual(first);

      await target.call('undo_changes', { user_id, since: changedSince });
      expect(await read(user_id)).toEqual(last);
    });
    await fc.assert(sequences, longTries(isPostgres ? 1000 : 10_000, isPostgres ? 20 : 150));
  },
  timeFor(1_800_000),
);

it('what was deleted and told again is there once, as it was before', async () => {
  const owned = { user_id: 'ann', text: 'The cat is called Biscuit' };
  await target.call('add_memory', owned);
  engine.clock.advance(1);
  const [first, since] = [await read('ann'), engine.clock.now()];
  engine.clock.advance(1);
  await target.call('delete_all_memories', { user_id: 'ann' });
  await target.call('add_memory', owned);
  engine.clock.advance(1);

  expect(await target.call('undo_changes', { user_id: 'ann', since })).toMatchObject({
    conflicts: [],
  });

  expect(await read('ann')).toEqual(first);
});

async function carryOut({ what, which, word, passes }: Step, user_id: string): Promise<void> {
  engine.clock.advance(passes);
  const ids = (await read(user_id)).memories.map(({ id }) => id);
  const id = ids[which % Math.max(1, ids.length)];
  if (id === undefined && !ofNone.includes(what)) return;
  await changes[what]({ user_id, text: `${word} ${which}`, id: id ?? '', ids });
}

/** All that can be read of a user's memories, apart from when they were last changed. */
async function read(user_id: string) {
  const listed = await target.call('get_memories', { user_id, page_size: 1000 });
  const memories = listed.results.map(({ updated_at: _, ...memory }) => memory);
  const found = [];
  for (const query of ['apple', 'peanuts', 'where does the user live?']) {
    const { results } = await target.call('search_memories', { query, user_id, threshold: 0 });
    found.push(results.map(({ id, score }) => ({ id, score })).sort(byId));
  }
  return { memories: memories.sort(byId), found };
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
