import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOfDayInZone } from '../../src/core/extraction/dates/wall-clock.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

type Input = Record<string, unknown>;

describe('a day begins, where clocks are changed,', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00:00.000Z'],
    ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-29', '2026-03-28T18:15:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('in %s on %s at %s', (timezone, day, begin) => {
    expect(startOfDayInZone(new Date(`${day}T00:00:00.000Z`), timezone)).toBe(begin);
  });
});

describe('"yesterday" is counted where the user is', () => {
  const dishes = { 24: 'dumplings', 25: 'sushi', 26: 'pasta' };
  let engine: Engine;

  const add = (input: Input) => {
    const given = { async_mode: false, user_id: 'ann', ...input };
    return engine.invoke('add_memory', given, { caller: owner });
  };
  const first = async (query: string, asked: Input) => {
    const given = { query, user_id: 'ann', threshold: 0, ...asked };
    const { results } = await engine.invoke('search_memories', given, { caller: owner });
    return results[0]?.memory;
  };

  beforeAll(async () => {
    engine = await startEngine({ timezone: 'America/Los_Angeles' });
    for (const [day, dish] of Object.entries(dishes)) {
      const content = `On ${day} November 2026 I ate ${dish} for dinner.`;
      await add({ messages: [{ role: 'user', content }] });
      for (const [user_id, at] of [
        ['early', `2026-11-${day}T07:00:00-08:00`],
        ['late', `2026-11-${day}T21:00:00-08:00`],
        ['east', `2026-11-${day}T07:00:00+08:00`],
      ] as const) {
        await add({ text: `I ate ${dish} for dinner`, user_id, timestamp: at });
      }
    }
  });
  afterAll(() => engine.stop());

  it.each([
    ['ann', '2026-11-27T02:00:00Z', {}, 'sushi'],
    ['early', '2026-11-27T02:00:00Z', {}, 'sushi'],
    ['late', '2026-11-27T02:00:00Z', {}, 'sushi'],
    ['late', '2026-11-27', {}, 'pasta'],
    ['ann', '2026-11-26T23:30:00Z', { timezone: 'Asia/Shanghai' }, 'pasta'],
    ['east', '2026-11-26T23:30:00Z', { timezone: 'Asia/Shanghai' }, 'pasta'],
    ['ann', '2026-11-27T02:00:00Z', { timezone: 'UTC' }, 'pasta'],
  ])('for %s at %s with %j', async (user_id, reference_date, zone, dish) => {
    const asked = { user_id, reference_date, ...zone };

    expect(await first('what did I eat yesterday', asked)).toContain(dish);
  });

  it.each([
    ['two days ago', 'dumplings'],
    ['today', 'pasta'],
  ])('as "%s" is', async (when, dish) => {
    const reference_date = '2026-11-27T02:00:00Z';

    for (const user_id of ['ann', 'early', 'late'])
      expect(await first(`what did I eat ${when}`, { user_id, reference_date })).toContain(dish);
  });

  it('in contexts too', async () => {
    const asked = { query: 'what did I eat yesterday', user_id: 'late', max_tokens: 100 };
    const zone = { reference_date: '2026-11-27T02:00:00Z', timezone: 'America/Los_Angeles' };
    const { text } = await engine.invoke('get_context', { ...asked, ...zone }, { caller: owner });

    expect(text.indexOf('sushi')).toBeGreaterThan(0);
    expect(text.split('\n').find((line) => line.startsWith('- '))).toContain('sushi');
  });

  it.each(['search_memories', 'get_context'] as const)(
    'and %s names a zone that there is not',
    async (operation) => {
      const asked = { query: 'tea', user_id: 'ann', timezone: 'Berlin' };

      await expect(engine.invoke(operation, asked, { caller: owner })).rejects.toThrow(
        /timezone.*Europe\/Berlin/,
      );
    },
  );
});
