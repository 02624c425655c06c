import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOn, optionsFor, textOf } from '../../mcp/support.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';
import { directTarget, type Target } from '../../support/targets.ts';

let engine: Engine;
let target: Target;
let users = 0;

beforeAll(async () => {
  engine = await startEngine();
  target = directTarget(engine, owner);
});
afterAll(() => engine.stop());

async function added(text: string) {
  users += 1;
  const user_id = `user-${users}`;
  const { results } = await target.call('add_memory', { text, user_id });
  return { user_id, memory_id: String(results[0]?.id) };
}

const historyOf = async (memory_id: string) =>
  (await target.call('get_history', { memory_id })).results;

const undo = (input: Record<string, unknown>) => target.call('undo_changes', input);

describe('the history of a memory', () => {
  it('names the fields that a change set beside the text', async () => {
    const { memory_id } = await added('Ada is vegan');
    await target.call('update_memory', { memory_id, pinned: true, expiration_date: '2036-12-01' });
    await target.call('update_memory', { memory_id, metadata: { topic: 'food' } });
    await target.call('update_memory', { memory_id, text: 'Ada is vegetarian' });
    await target.call('update_memory', { memory_id, expiration_date: null });

    const changed = (await historyOf(memory_id)).map((entry) => entry.changed);
    const call = callOn(optionsFor(engine.invoke, { secret: engine.store.secret }));
    const text = textOf(await call('get_history', { memory_id }));

    expect(changed).toEqual([
      undefined,
      { pinned: true, expiration_date: '2036-12-01' },
      { metadata: { topic: 'food' } },
      undefined,
      { expiration_date: null },
    ]);
    expect(text).toContain('changed: pinned, expiration_date 2036-12-01');
    expect(text).toContain('changed: metadata {"topic":"food"}');
    expect(text).toContain('changed: no expiration_date');
  });

  it('names an undo, also one that brings back what was deleted', async () => {
    const { memory_id, user_id } = await added('Ada is vegan');
    await target.call('delete_memory', { memory_id });
    await undo({ user_id });

    const call = callOn(optionsFor(engine.invoke, { secret: engine.store.secret }));
    const text = textOf(await call('get_history', { memory_id }));

    const told = (await historyOf(memory_id)).map(({ event, undo }) => [event, undo]);
    expect(told).toEqual([
      ['ADD', undefined],
      ['DELETE', undefined],
      ['ADD', true],
    ]);
    expect(text).toMatch(/3\. ADD\n {3}by: undo/);
  });
});

describe('an undo of an undo', () => {
  it.each<[string, (one: { memory_id: string; user_id: string }) => Record<string, unknown>]>([
    ['without an id', ({ user_id }) => ({ user_id })],
    ['of one memory', ({ memory_id }) => ({ memory_id })],
  ])('says so first, %s', async (_how, input) => {
    const one = await added('Ada is vegan');
    await target.call('update_memory', { memory_id: one.memory_id, text: 'Ada is vegetarian' });

    const first = await undo(input(one));
    const planned = await undo({ ...input(one), dry_run: true });
    const second = await undo(input(one));

    expect(first).toMatchObject({ message: 'Undone: 1 changed back' });
    expect(first).not.toHaveProperty('redo');
    expect(planned).toMatchObject({
      message: 'This would undo your undo: 1 changed back',
      redo: true,
    });
    expect(second).toMatchObject({ message: 'Undid the undo: 1 changed back', redo: true });
    expect(await target.call('get_memory', { memory_id: one.memory_id })).toMatchObject({
      memory: 'Ada is vegetarian',
    });
  });
});
