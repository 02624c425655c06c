import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine();
  const { now, advance } = engine.clock;
  engine.clock.now = () => {
    advance(1);
    return now();
  };
});
afterEach(() => engine.stop());

async function add(input: Record<string, unknown>) {
  const call = { caller: owner };
  const { results } = await engine.invoke('add_memory', { user_id: 'ann', ...input }, call);
  return engine.invoke('get_memory', { memory_id: results[0]?.id }, call);
}

it.each([
  ['text', { text: 'Ann is vegan' }],
  [
    'messages',
    { messages: [{ role: 'user', content: "I'm vegan." }], infer: true, async_mode: false },
  ],
])(
  'a memory of %s that was never changed has one time, while the clock goes on',
  async (_, input) => {
    const memory = await add(input);

    expect(memory.updated_at).toBe(memory.created_at);
  },
);

it('a memory of the past was updated when it was stored', async () => {
  const memory = await add({ text: 'Ann is vegan', timestamp: 1_700_000_000 });

  expect(memory.created_at).toBe('2023-11-14T22:13:20.000Z');
  expect(memory.updated_at).toContain('2026-03-14T');
});
