import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

describe.each(targets)('a sorted list, %s', (_, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  /** Three of one time, of which the first was changed last. */
  async function remember(): Promise<string> {
    const timestamp = 1_750_000_000;
    const ids: string[] = [];
    for (const text of ['Bees', 'Figs', 'Tea']) {
      const added = await target.call('add_memory', { text, user_id: 'ada', timestamp });
      ids.push(added.results[0]?.id ?? '');
    }
    const before = target.engine.clock.now();
    target.engine.clock.advance(3_600_000);
    const [memory_id] = ids;
    await target.call('update_memory', { memory_id, text: 'Bees and goats' });
    return before;
  }

  async function listed(input: Record<string, unknown>): Promise<unknown[]> {
    const { results } = await target.call('get_memories', { user_id: 'ada', ...input });
    return results.map(({ memory }) => memory);
  }

  it('is by a time in either direction, and among equal times by when it was stored', async () => {
    await remember();

    const byDefault = await listed({});
    expect(byDefault).toEqual(['Tea', 'Figs', 'Bees and goats']);
    expect(await listed({ sort: '-created_at' })).toEqual(byDefault);
    expect(await listed({ sort: 'created_at' })).toEqual(byDefault.toReversed());
    expect(await listed({ sort: '-updated_at' })).toEqual(['Bees and goats', 'Tea', 'Figs']);
    expect(await listed({ sort: 'updated_at' })).toEqual(['Figs', 'Tea', 'Bees and goats']);
  });

  it('has each memory on one page', async () => {
    await remember();

    const pages = [1, 2, 3].map((page) => listed({ sort: 'updated_at', page, page_size: 1 }));

    expect((await Promise.all(pages)).flat()).toEqual(['Figs', 'Tea', 'Bees and goats']);
  });

  it('is as it was at an earlier time', async () => {
    const before = await remember();

    expect(await listed({ sort: 'created_at', as_of: before })).toEqual(['Bees', 'Figs', 'Tea']);
    expect(await listed({ sort: '-updated_at', as_of: before })).toEqual(['Tea', 'Figs', 'Bees']);
  });

  it('refuses an order that there is not, and names those that there are', async () => {
    const refusal = await target.refusal('get_memories', { user_id: 'ada', sort: 'text' });

    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('sort') });
    for (const sort of ['-created_at', 'created_at', '-updated_at', 'updated_at'])
      expect(refusal).toMatchObject({ message: expect.stringContaining(sort) });
  });
});
