import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OperationName } from '../../../src/contract.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.stop());

type Input = Record<string, unknown>;

/** A call with a key. */
function callAs<N extends OperationName>(key_id: string, name: N, input: Input) {
  engine.clock.advance(1000);
  return engine.invoke(name, input, { caller: { ...owner, key_id } });
}

async function add(key_id: string, text: string): Promise<string> {
  const { results } = await callAs(key_id, 'add_memory', { text, user_id: 'ann' });
  return String(results[0]?.id);
}

async function texts(): Promise<string[]> {
  const { results } = await engine.invoke('get_memories', { user_id: 'ann' }, { caller: owner });
  return results.map(({ memory }) => String(memory)).toSorted();
}

it('an undo of a key takes back what it did since a time, and nothing of others', async () => {
  const cat = await add('mine', 'The cat is called Biscuit');
  const pond = await add('mine', 'The garden has a pond');
  const since = engine.clock.now();
  await callAs('theirs', 'update_memory', { memory_id: cat, text: 'The cat is called Pepper' });
  await callAs('theirs', 'delete_memory', { memory_id: pond });
  await add('theirs', 'The boat is red');
  await add('mine', 'The boat is blue');
  const messages = [{ role: 'user', content: 'I live in Lisbon.' }];
  await callAs('theirs', 'add_memory', { messages, user_id: 'ann', async_mode: false });
  expect(await texts()).toContain('User lives in Lisbon.');

  await callAs('mine', 'undo_changes', { since, key_id: 'theirs' });

  expect(await texts()).toEqual([
    'The boat is blue',
    'The cat is called Biscuit',
    'The garden has a pond',
  ]);
});

it('what others changed as well is named and left alone, unless it is forced', async () => {
  const id = await add('mine', 'one');
  const since = engine.clock.now();
  await callAs('theirs', 'update_memory', { memory_id: id, text: 'two' });
  await callAs('mine', 'update_memory', { memory_id: id, text: 'three' });
  const undo = (input: Input) => callAs('mine', 'undo_changes', { since, ...input });

  expect(await undo({ key_id: 'theirs' })).toMatchObject({
    changes: [],
    conflicts: [{ id, reason: 'others changed it as well' }],
  });
  expect(await texts()).toEqual(['three']);
  expect((await undo({ key_id: 'unknown' })).changes).toEqual([]);
  await undo({ key_id: 'theirs', force: true });
  expect(await texts()).toEqual(['one']);
  await expect(callAs('mine', 'undo_changes', { key_id: 'theirs' })).rejects.toThrow(
    'key_id: needs since',
  );
});

it('an event names the key that made it', async () => {
  await add('mine', 'one');
  const { results } = await engine.invoke('list_events', {}, { caller: owner });

  expect(results).toMatchObject([{ event_type: 'ADD', key_id: 'mine' }]);
});
