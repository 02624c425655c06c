import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

describe.each(targets)('a memory, %s', (_, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'alice', ...more });
    const id = results[0]?.id;
    if (!id) throw new Error(`not stored: ${JSON.stringify(results)}`);
    return id;
  }

  async function listed(input: Record<string, unknown>): Promise<unknown[]> {
    const { results } = await target.call('get_memories', input);
    return results.map(({ memory }) => memory);
  }

  it('is pinned by an add, by an update or in a batch, and unpinned again', async () => {
    const added = await remember('Never phone before ten', { pinned: true });
    const updated = await remember('Alice has a bike');
    const batched = await remember('Alice has a boat');
    const pinned = async () =>
      new Set(await listed({ user_id: 'alice', filters: { pinned: true } }));

    await target.call('update_memory', { memory_id: updated, pinned: true });
    await target.call('batch_update_memories', {
      memories: [{ memory_id: batched, pinned: true }],
    });
    const all = await pinned();
    await target.call('update_memory', { memory_id: updated, pinned: false });
    await target.call('update_memory', { memory_id: batched, text: 'Alice has two boats' });

    expect(all).toEqual(
      new Set(['Never phone before ten', 'Alice has a bike', 'Alice has a boat']),
    );
    expect(await pinned()).toEqual(new Set(['Never phone before ten', 'Alice has two boats']));
    expect(await listed({ user_id: 'alice', filters: { pinned: false } })).toEqual([
      'Alice has a bike',
    ]);
    expect(await target.call('get_memory', { memory_id: added })).toMatchObject({ pinned: true });
  });

  it('is pinned with all that one call stores, and found by it', async () => {
    const messages = [{ role: 'user', content: 'I live in Lisbon. I love green tea.' }];
    const { results } = await target.call('add_memory', {
      messages,
      user_id: 'alice',
      pinned: true,
    });
    await remember('Alice drinks black tea');

    const found = await target.call('search_memories', {
      query: 'tea',
      user_id: 'alice',
      filters: { pinned: { ne: false } },
    });

    expect(results.length).toBeGreaterThan(1);
    expect(await listed({ user_id: 'alice', filters: { pinned: true } })).toHaveLength(
      results.length,
    );
    expect(found.results).toMatchObject([{ pinned: true }]);
  });

  it('is pinned by true or false only, also in a filter', async () => {
    const id = await remember('Alice has a bike');

    const refusals = [
      await target.refusal('add_memory', { text: 'x', user_id: 'alice', pinned: 'maybe' }),
      await target.refusal('update_memory', { memory_id: id, pinned: 'maybe' }),
      await target.refusal('get_memories', { user_id: 'alice', filters: { pinned: 'maybe' } }),
    ];
    const operator = await target.refusal('get_memories', {
      user_id: 'alice',
      filters: { pinned: { gt: true } },
    });

    for (const refusal of [...refusals, operator]) {
      expect(refusal).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('pinned'),
      });
    }
    expect(operator.message).toContain('eq, ne');
    expect(await target.call('get_memory', { memory_id: id })).toMatchObject({ pinned: false });
  });
});
