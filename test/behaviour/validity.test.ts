import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Input, type Target, targets } from '../support/targets.ts';

const day = 24 * 3600 * 1000;

describe.each(targets)('when a memory is true, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  /** A day later. */
  function pass(): string {
    const then = target.engine.clock.now();
    target.engine.clock.advance(day);
    return then;
  }

  async function remember(text: string, more: Input = {}): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'ann', ...more });
    return String(results[0]?.id);
  }

  async function hear(content: string): Promise<void> {
    const messages = [{ role: 'user', content }];
    const input = { messages, user_id: 'ann', infer: true, async_mode: false };
    await target.call('add_memory', input);
  }

  async function textsOf(input: Input = {}): Promise<string[]> {
    const { results } = await target.call('get_memories', { user_id: 'ann', ...input });
    return results.map(({ memory }) => String(memory)).toSorted();
  }

  async function found(query: string, input: Input = {}): Promise<string[]> {
    const { results } = await target.call('search_memories', { query, user_id: 'ann', ...input });
    return results.map(({ memory }) => String(memory));
  }

  it('is written, returned and asked for', async () => {
    const memory_id = await remember('Ann works at Acme', {
      valid_from: '2019-03-01',
      valid_until: '2023-01-01T00:00:00+01:00',
    });
    await remember('Ann likes tea');

    expect(await target.call('get_memory', { memory_id })).toMatchObject({
      valid_from: '2019-03-01T00:00:00.000Z',
      valid_until: '2022-12-31T23:00:00.000Z',
    });
    expect(await textsOf({ valid_at: '2020-05-01' })).toEqual([
      'Ann likes tea',
      'Ann works at Acme',
    ]);
    expect(await textsOf({ valid_at: '2019-02-28' })).toEqual(['Ann likes tea']);
    expect(await textsOf({ valid_at: '2023-01-01' })).toEqual(['Ann likes tea']);
    const query = 'Where does Ann work?';
    expect((await found(query, { valid_at: '2020-05-01' }))[0]).toBe('Ann works at Acme');
    expect(await found(query, { valid_at: '2023-01-01' })).not.toContain('Ann works at Acme');
    expect(await target.refusal('get_memory', { memory_id, valid_at: '2018-01-01' })).toMatchObject(
      {
        code: 'not_found',
      },
    );
    const filters = { valid_until: { lt: '2024-01-01' } };
    expect(await textsOf({ filters })).toEqual(['Ann works at Acme']);
  });

  it('is found when it is over, below what is true', async () => {
    await remember('Ann works at Acme in the archive', { valid_until: '2023-01-01' });
    await remember('Ann works at Zenith in the tower of the city');

    expect((await found('Where does Ann work in the archive?'))[0]).toContain('Zenith');
    expect(await found('Where does Ann work?')).toHaveLength(2);
  });

  it('ends when a new text supersedes it, and not when the text was wrong', async () => {
    const memory_id = await remember('Ann lives in Paris', { valid_from: '2018-01-01' });
    const known = pass();
    const text = 'Ann lives in Rome';
    await target.call('update_memory', { memory_id, text, valid_from: '2026-02-01' });

    expect(await textsOf()).toEqual(['Ann lives in Rome']);
    expect(await textsOf({ valid_at: '2026-01-31' })).toEqual(['Ann lives in Paris']);
    expect(await textsOf({ valid_at: '2026-02-01' })).toEqual(['Ann lives in Rome']);
    expect(await textsOf({ as_of: known, valid_at: '2026-02-01' })).toEqual(['Ann lives in Paris']);
    expect(await found('Where does Ann live?', { valid_at: '2026-01-31' })).toEqual([
      'Ann lives in Paris',
    ]);
    const context = await target.call('get_context', {
      query: 'Where does Ann live?',
      user_id: 'ann',
      valid_at: '2026-01-31',
    });
    expect(context.text).toContain('Paris');
    expect(context.text).not.toContain('Rome');

    await target.call('update_memory', { memory_id, text: 'Ann lives in Roma' });
    expect(await textsOf({ valid_at: '2026-02-01' })).toEqual(['Ann lives in Roma']);
  });

  it('is heard in a conversation, with the day on which something changed', async () => {
    await hear('I live in Paris.');
    const known = pass();
    target.engine.clock.advance(120 * day);
    await hear('I moved to Rome two months ago.');
    const now = target.engine.clock.now();

    const monthsAgo = (days: number) => new Date(Date.parse(now) - days * day).toISOString();
    expect(await textsOf()).toEqual(['User moved to Rome two months ago.']);
    expect(await textsOf({ valid_at: monthsAgo(90) })).toEqual(['User lives in Paris.']);
    expect(await textsOf({ valid_at: now })).toEqual(['User moved to Rome two months ago.']);
    expect(await textsOf({ as_of: known, valid_at: now })).toEqual(['User lives in Paris.']);
  });

  it('of a memory with two facts is told of each, when one of them ends', async () => {
    await hear('I live in Paris and I work at Acme.');
    const told = await textsOf();
    const known = pass();
    target.engine.clock.advance(120 * day);
    await hear('I moved to Rome two months ago.');
    const now = target.engine.clock.now();
    const before = new Date(Date.parse(now) - 90 * day).toISOString();
    const present = await textsOf();

    expect(present.join()).toContain('Rome');
    expect(present.join()).not.toContain('Paris');
    expect(await textsOf({ valid_at: now })).toEqual(present);
    expect(await textsOf({ valid_at: before })).toEqual(told);
    expect(await textsOf({ as_of: known, valid_at: now })).toEqual(told);
  });

  it('goes when the memory is deleted, and comes back with it', async () => {
    const memory_id = await remember('Ann lives in Paris');
    const text = 'Ann lives in Rome';
    await target.call('update_memory', { memory_id, text, valid_from: '2026-02-01' });
    pass();
    const known = pass();
    await target.call('delete_memory', { memory_id });

    expect(await textsOf({ valid_at: '2020-01-01' })).toEqual([]);
    expect(await textsOf({ as_of: known, valid_at: '2020-01-01' })).toEqual(['Ann lives in Paris']);
    await target.call('undo_changes', {});
    expect(await textsOf({ valid_at: '2020-01-01' })).toEqual(['Ann lives in Paris']);
  });

  it('begins before it ends, at a time', async () => {
    const memory_id = await remember('Ann lives in Paris', { valid_from: '2020-01-01' });
    const refused: [string, Input, string][] = [
      [
        'add_memory',
        { valid_from: '2020-01-01', valid_until: '2020-01-01' },
        'valid_until: must be after',
      ],
      ['add_memory', { valid_from: 'last year' }, 'valid_from: must be a date'],
      [
        'update_memory',
        { memory_id, valid_until: '2019-01-01' },
        'valid_until: must be after 2020',
      ],
      ['get_memories', { user_id: 'ann', valid_at: 'then' }, 'valid_at: must be a date'],
      ['get_memories', { user_id: 'ann', valid_at: '2026-02-30' }, 'valid_at: must be a date'],
      ['add_memory', { valid_from: '2025-02-29T10:00:00Z' }, 'valid_from: must be a date'],
    ];
    for (const [operation, input, says] of refused) {
      const added = operation === 'add_memory' ? { text: 'x', user_id: 'ann' } : {};
      const problem = await target.refusal(
        operation as 'add_memory',
        { ...added, ...input } as never,
      );
      expect(problem).toMatchObject({ code: 'invalid', message: expect.stringContaining(says) });
    }
  });
});
