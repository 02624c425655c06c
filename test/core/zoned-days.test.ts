import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;

type Input = Record<string, unknown>;

const call = (name: 'get_memories' | 'search_memories', input: Input) =>
  engine.invoke(name, { user_id: 'ann', ...input }, { caller: owner });
const textsOf = async (input: Input) =>
  (await call('get_memories', input)).results.map(({ memory }) => memory);

beforeAll(async () => {
  engine = await startEngine({ timezone: 'America/Los_Angeles' });
  for (const [text, timestamp] of [
    ['The bike is blue', '2026-11-20T23:30:00-08:00'],
    ['The car is red', '2026-11-21T00:30:00-08:00'],
  ]) {
    const given = { text, timestamp, user_id: 'ann' };
    await engine.invoke('add_memory', given, { caller: owner });
  }
});
afterAll(() => engine.stop());

it('counts the days of a filter in the configured zone, or in that of the call', async () => {
  const on = { filters: { created_at: '2026-11-20' } };
  expect(await textsOf(on)).toEqual(['The bike is blue']);
  expect(await textsOf({ ...on, timezone: 'UTC' })).toEqual([]);
  expect(await textsOf({ start_date: '2026-11-21' })).toEqual(['The car is red']);
  expect(await textsOf({ end_date: '2026-11-20' })).toEqual(['The bike is blue']);
});

it('takes today from its beginning in since and from, and until now in to and as_of', async () => {
  const caller = { caller: owner };
  const asked = { from: '2026-03-14', to: '2026-03-14' };
  const { from, to, added } = await engine.invoke('diff_changes', asked, caller);
  expect([from, to]).toEqual(['2026-03-14T07:00:00.000Z', engine.clock.now()]);
  expect(added).toHaveLength(2);
  const tomorrow = engine.invoke('diff_changes', { from: '2026-03-15' }, caller);
  await expect(tomorrow).rejects.toThrow(/from.*future/);
  const undo = { since: '2026-03-14', dry_run: true };
  expect((await engine.invoke('undo_changes', undo, caller)).changes).toHaveLength(2);
  expect(await textsOf({ as_of: '2026-03-14' })).toHaveLength(2);
  expect(await textsOf({ as_of: '2026-03-13' })).toEqual([]);
});
