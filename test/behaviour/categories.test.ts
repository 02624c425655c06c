import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { type Target, targets } from '../support/targets.ts';

describe.each(targets)('the categories of a memory, %s', (_, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'ann' });
    const id = results[0]?.id;
    if (!id) throw new Error(`not stored: ${JSON.stringify(results)}`);
    return id;
  }

  async function textsIn(category: string): Promise<unknown[]> {
    const filed = { user_id: 'ann', categories: [category] };
    const { results } = await target.call('get_memories', filed);
    const found = await target.call('search_memories', { query: 'Ann', ...filed });
    expect(found.results).toHaveLength(results.length);
    return results.map(({ memory }) => memory);
  }

  const categoriesOf = async (memory_id: string) =>
    (await target.call('get_memory', { memory_id })).categories;

  it('are replaced, found by filters, and taken away again', async () => {
    const memory_id = await remember('Ann rows on Sundays');

    const updated = await target.call('update_memory', {
      memory_id,
      categories: [' rowing ', 'clubs', 'rowing'],
    });
    const found = await textsIn('rowing');
    const again = await target.call('update_memory', {
      memory_id,
      categories: '["rowing","clubs"]',
    });
    await target.call('update_memory', { memory_id, text: 'Ann rows on Mondays' });
    const kept = await categoriesOf(memory_id);
    await target.call('update_memory', { memory_id, categories: [] });

    expect(updated).toMatchObject({
      memory: 'Ann rows on Sundays',
      categories: ['rowing', 'clubs'],
    });
    expect(found).toEqual(['Ann rows on Sundays']);
    expect(again).toMatchObject({ message: 'Nothing changed.' });
    expect(kept).toEqual(['rowing', 'clubs']);
    expect(await textsIn('rowing')).toEqual([]);
  });

  it('are told by the history, and come back with an undo', async () => {
    const memory_id = await remember('Ann rows on Sundays');
    await target.call('update_memory', { memory_id, categories: ['rowing'] });
    await target.call('update_memory', { memory_id, text: 'Ann rows', categories: ['water'] });

    const { results } = await target.call('get_history', { memory_id });
    await target.call('undo_changes', { memory_id });
    const undone = await target.call('get_memory', { memory_id });

    expect(results.slice(1)).toMatchObject([
      { event: 'UPDATE', changed: { categories: ['rowing'] }, categories: ['rowing'] },
      { event: 'UPDATE', changed: { categories: ['water'] }, categories: ['water'] },
    ]);
    expect(undone).toMatchObject({ memory: 'Ann rows on Sundays', categories: ['rowing'] });
  });

  it('are changed in a batch, all or none', async () => {
    const one = await remember('Ann rows on Sundays');
    const other = await remember('Ann has a boat');
    const memories = [one, other].map((memory_id) => ({ memory_id, categories: ['rowing'] }));

    const wrong = await target.refusal('batch_update_memories', {
      memories: [...memories, { memory_id: one, categories: [''] }],
    });
    const left = await textsIn('rowing');
    await target.call('batch_update_memories', { memories });

    expect(wrong).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('memories.2.categories.0: must not be empty'),
    });
    expect(left).toEqual([]);
    expect(await textsIn('rowing')).toEqual(['Ann has a boat', 'Ann rows on Sundays']);
  });

  it('are names: of some length, and not too many', async () => {
    const memory_id = await remember('Ann rows');
    const long = 'x'.repeat(limits.category_max_chars + 1);
    const many = Array.from({ length: limits.custom_categories_max + 1 }, (_one, at) => `c${at}`);

    for (const [categories, message] of [
      [[long], 'categories.0: holds 101 characters; at most 100'],
      [['ok', ' \n'], 'categories.1: must not be empty'],
      [[7], 'categories.0'],
      [{ a: 1 }, 'categories'],
      [many, 'categories: at most 100 categories'],
    ] as const) {
      const refused = await target.refusal('update_memory', { memory_id, categories });
      expect(refused).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(message),
      });
    }
  });

  it('are not changed by a reader, nor by who does not see the memory', async () => {
    const memory_id = await remember('Ann rows');
    const before = await categoriesOf(memory_id);
    const change = { memory_id, categories: ['mine'] };

    const refused = await target.as({ read_only: true }).refusal('update_memory', change);
    const unknown = '01957f3a-0000-7000-8000-000000000001';
    const missing = await target.refusal('update_memory', { ...change, memory_id: unknown });

    expect(refused.code).toBe('forbidden');
    expect(missing.code).toBe('not_found');
    expect(await categoriesOf(memory_id)).toEqual(before);
  });
});
