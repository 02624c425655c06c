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

it.each([
  ['2026-12-02T05:00:00Z', '2026-12-01'],
  ['2026-12-01T18:00:00+01:00', '2026-12-01'],
  [' 2026-12-01 ', '2026-12-01'],
  ['9999-12-31T23:00:00-11:00', '9999-12-31'],
])('keeps the day of %s in the configured zone as the last one', async (said, day) => {
  const caller = { caller: owner };
  const add = { text: 'The trial is open', user_id: 'bob', infer: false };
  const timed = { ...add, expiration_date: said };
  const { results, message } = await engine.invoke('add_memory', timed, caller);
  const memory_id = results[0]?.id ?? '';
  const stored = await engine.invoke('get_memory', { memory_id }, caller);
  const again = { memory_id, expiration_date: said };
  const same = await engine.invoke('update_memory', again, caller);
  await engine.invoke('update_memory', { memory_id, expiration_date: null }, caller);
  const updated = await engine.invoke('update_memory', again, caller);
  await engine.invoke('delete_memory', { memory_id }, caller);

  expect([stored.expiration_date, updated.expiration_date]).toEqual([day, day]);
  expect([message, same.message]).toEqual(['Memories stored', 'Nothing changed.']);
  expect(updated).not.toHaveProperty('message');
});

it('says that a memory is hidden whose last day is past', async () => {
  const caller = { caller: owner };
  const until = { expiration_date: '2026-03-13' };
  const remark = 'expiration_date 2026-03-13 is past, so that searches hide it';
  const turns = { messages: [{ role: 'user', content: 'My locker code is 4711.' }] };
  const waiting = { ...turns, async_mode: false, user_id: 'carl', ...until };
  const heard = await engine.invoke('add_memory', waiting, caller);
  const told = { text: 'The trial is open', user_id: 'carl', ...until };
  const { results, message } = await engine.invoke('add_memory', told, caller);
  const change = { memory_id: results[0]?.id ?? '', text: 'The trial was open', ...until };
  const updated = await engine.invoke('update_memory', change, caller);

  expect([heard.message, message]).toEqual(Array(2).fill(`Memories stored; ${remark}`));
  expect(updated.message).toBe(`Its ${remark}.`);
});

it('refuses what is no day, and names the field', async () => {
  const wrong = { text: 'x', user_id: 'ann', expiration_date: 'tomorrow' };
  const refused = engine.invoke('add_memory', wrong, { caller: owner });
  await expect(refused).rejects.toThrow(/expiration_date.*date-time/);
});

it.each(['markdown', 'plain', 'xml', 'json'] as const)(
  'says in a context (%s) whether a day is of the event or of the saying',
  async (template) => {
    const caller = { caller: owner };
    const add = { user_id: 'dora', timestamp: '2026-11-21T00:30:00+00:00' };
    const known = ['My desk is oak', 'The dentist comes on 2026-11-28', 'We fly in May 2027'];
    for (const text of known) await engine.invoke('add_memory', { ...add, text }, caller);
    const asked = { user_id: 'dora', template, reference_date: '2026-11-22' };
    const { text } = await engine.invoke('get_context', asked, caller);
    const inTokyo = { ...asked, timezone: 'Asia/Tokyo' };
    const there = await engine.invoke('get_context', inTokyo, caller);
    await engine.invoke('delete_all_memories', { user_id: 'dora' }, caller);

    const said = (day: string) => {
      if (template === 'xml' || template === 'json')
        return expect.stringMatching(`date.{1,3}${day}`);
      return expect.stringContaining(day);
    };
    expect(text).toMatch(/occurred\W{1,3}2026-11-28\b/);
    expect(text).toMatch(/occurred\W{1,3}2027-05\b/);
    expect(text).toEqual(said('2026-11-20'));
    expect(there.text).toEqual(said('2026-11-21'));
  },
);
