import { expect, it, onTestFinished } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

const messages = [
  { role: 'user', content: 'I live in Paris with my wife. I love spicy Thai food.' },
  { role: 'user', content: 'My favorite color is green. I use VS Code for everything.' },
];
const later = [
  { role: 'user', content: 'I moved from Paris to Rome. I switched from VS Code to Neovim.' },
];

const add = (engine: Engine, given: typeof messages) =>
  engine.invoke(
    'add_memory',
    { messages: given, user_id: 'ann', async_mode: false },
    { caller: owner },
  );

async function stored(engine: Engine): Promise<unknown[]> {
  const { results } = await engine.invoke('get_memories', { user_id: 'ann' }, { caller: owner });
  return results.map(({ memory }) => memory).sort();
}

it('a conversation that is sent twice is stored once', async () => {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());

  await add(engine, messages);
  const before = await stored(engine);
  const { results } = await add(engine, messages);

  expect(before).toHaveLength(4);
  expect(results.map(({ event }) => event)).toEqual(before.map(() => 'NOOP'));
  expect(await stored(engine)).toEqual(before);
});

it('two processes at once store a conversation once, and what follows it once', async () => {
  const one = await startEngine();
  const other = await startEngine({ data_dir: one.data_dir });
  onTestFinished(async () => {
    await other.stop();
    await one.stop();
  });

  await Promise.all([one, other, one, other].map((engine) => add(engine, messages)));
  const before = await stored(one);
  await Promise.all([one, other, one, other].map((engine) => add(engine, later)));

  expect(before).toHaveLength(4);
  expect(await stored(other)).toEqual([
    'User lives in Paris with their wife.',
    'User loves spicy Thai food.',
    'User moved from Paris to Rome.',
    'User switched from VS Code to Neovim.',
    'User uses VS Code for everything.',
    "User's favorite color is green.",
  ]);
});

it('what has moved is found as it is now, and its history tells until when it was so', async () => {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  await add(engine, [{ role: 'user', content: 'I live in Paris.' }]);
  engine.clock.advance(60_000);

  const { results } = await add(engine, [{ role: 'user', content: 'I moved from Paris to Rome.' }]);

  const question = { query: 'Where does the user live? Rome?', user_id: 'ann' };
  const found = await engine.invoke('search_memories', question, { caller: owner });
  const memory_id = results[0]?.id ?? '';
  const history = await engine.invoke('get_history', { memory_id }, { caller: owner });
  const [first, second] = history.results;
  expect(found.results.map(({ memory }) => memory)).toEqual(['User moved from Paris to Rome.']);
  expect(history.results).toMatchObject([
    { event: 'ADD', new_memory: 'User lives in Paris.' },
    { event: 'UPDATE', old_memory: 'User lives in Paris.' },
  ]);
  expect(Date.parse(second?.created_at ?? '')).toBe(Date.parse(first?.created_at ?? '') + 60_000);
});

it.each([
  ['Ann lent Ben the blue bike.', 'Ben lent Ann the blue bike.'],
  ['Anna helps Ben with maths.', 'Ben helps Anna with maths.'],
])('"%s" is not repeated by "%s"', async (first, then) => {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());

  await add(engine, [{ role: 'user', content: first }]);
  await add(engine, [{ role: 'user', content: then }]);

  expect(await stored(engine)).toEqual([first, then].sort());
});
