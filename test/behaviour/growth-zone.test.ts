import { afterEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

describe('the growth of a project, in the time zone of the service', () => {
  let engine: Engine;

  afterEach(async () => {
    await engine.stop();
  });

  const call = (name: 'add_memory' | 'search_memories', input: Record<string, unknown>) =>
    engine.invoke(name, { ...input, user_id: 'ada' }, { caller: owner });

  /** Starts at an instant of UTC, with clocks of this zone. */
  async function startAt(instant: string, timezone: string): Promise<void> {
    engine = await startEngine({ timezone });
    engine.clock.set(instant);
  }

  async function growth(days: number) {
    const answer = await engine.invoke('get_growth', { days }, { caller: owner });
    return answer.days.map(({ day, added, searches }) => [day, added, searches]);
  }

  it('counts what happened before midnight of UTC on the next day in the east', async () => {
    await startAt('2031-01-10T14:59:59.999Z', 'Asia/Tokyo');
    await call('add_memory', { text: 'Ada keeps bees' });
    engine.clock.set('2031-01-10T15:00:00.000Z');
    await call('add_memory', { text: 'Ada lives in Porto' });
    await call('search_memories', { query: 'bees' });

    expect(await growth(2)).toEqual([
      ['2031-01-10', 1, 0],
      ['2031-01-11', 1, 1],
    ]);
  });

  it('has days of 23 and of 25 hours where clocks are changed', async () => {
    await startAt('2031-03-30T21:59:59.999Z', 'Europe/Berlin');
    await call('add_memory', { text: 'Ada keeps bees' });
    engine.clock.set('2031-03-30T22:00:00.000Z');
    await call('add_memory', { text: 'Ada lives in Porto' });
    const spring = await growth(2);
    engine.clock.set('2031-10-26T22:59:59.999Z');
    await call('add_memory', { text: 'Ada runs' });
    engine.clock.set('2031-10-26T23:00:00.000Z');
    await call('add_memory', { text: 'Ada swims' });
    const year = await growth(366);

    expect(spring).toEqual([
      ['2031-03-30', 1, 0],
      ['2031-03-31', 1, 0],
    ]);
    expect(year.filter(([, added]) => added !== 0)).toEqual([
      ...spring,
      ['2031-10-26', 1, 0],
      ['2031-10-27', 1, 0],
    ]);
    expect(new Set(year.map(([day]) => day)).size).toBe(366);
  });
});
