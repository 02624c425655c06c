import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

const unknownId = '11111111-1111-4111-8111-111111111111';

describe.each(targets)('memories, %s', (name, start) => {
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

  async function recall(query: string, more: Record<string, unknown> = {}): Promise<unknown[]> {
    const { results } = await target.call('search_memories', {
      query,
      user_id: 'alice',
      ...more,
    });
    return results.map(({ memory }) => memory);
  }

  async function listed(input: Record<string, unknown>): Promise<unknown[]> {
    const { results } = await target.call('get_memories', input);
    return results.map(({ memory }) => memory);
  }

  describe('adding', () => {
    it('stores a text verbatim and answers its id', async () => {
      const { status, results } = await target.call('add_memory', {
        text: 'Alice is allergic to peanuts',
        user_id: 'alice',
      });

      expect(status).toBe('SUCCEEDED');
      expect(results).toHaveLength(1);
      expect(results[0]).toMatchObject({ event: 'ADD', memory: 'Alice is allergic to peanuts' });
    });

    it('stores each message but the system one when infer is false', async () => {
      await target.call('add_memory', {
        messages: [
          { role: 'system', content: 'You are helpful' },
          { role: 'user', content: 'I moved to Lisbon' },
          { role: 'assistant', content: 'How is it there?' },
        ],
        user_id: 'alice',
        infer: false,
      });

      expect(await listed({ user_id: 'alice' })).toEqual(
        expect.arrayContaining(['I moved to Lisbon', 'How is it there?']),
      );
      expect(await listed({ user_id: 'alice' })).toHaveLength(2);
    });

    it('extracts facts from messages and drops greetings, questions and thanks', async () => {
      const { results } = await target.call('add_memory', {
        messages: [
          { role: 'user', content: 'Hi there! I live in Lisbon with my two cats. Thanks!' },
          { role: 'assistant', content: 'Great. What are their names?' },
          { role: 'user', content: 'Can you recommend a vet? Their names are Miso and Tofu.' },
        ],
        user_id: 'alice',
      });

      expect(results.map(({ memory }) => memory)).toEqual([
        'User lives in Lisbon with their two cats. Their names are Miso and Tofu.',
      ]);
    });

    it('says that nothing was stored, and why, when there is nothing to remember', async () => {
      const { results } = await target.call('add_memory', {
        messages: [{ role: 'user', content: 'Thanks, bye!' }],
        user_id: 'alice',
      });

      expect(results).toHaveLength(1);
      expect(results[0]).toMatchObject({
        event: 'NOOP',
        reason: expect.stringContaining('nothing to remember'),
      });
    });

    it('does not store the same text twice in one scope, and names the one that holds it', async () => {
      const id = await remember('Alice drinks tea');

      const again = await target.call('add_memory', {
        text: '  Alice   drinks tea ',
        user_id: 'alice',
      });
      await remember('Alice drinks tea', { run_id: 'session-2' });

      expect(again.message).toContain('Nothing new');
      expect(again.results[0]).toMatchObject({ id, event: 'NOOP' });
      expect(await listed({ user_id: 'alice' })).toHaveLength(2);
    });

    it('stores a text again when the memory that held it has expired', async () => {
      const first = await remember('Parking permit is 4711', { expiration_date: '2026-03-14' });
      target.engine.clock.set('2026-03-15T08:00:00.000Z');

      const second = await remember('Parking permit is 4711');

      expect(second).not.toBe(first);
      expect(await recall('parking permit')).toEqual(['Parking permit is 4711']);
    });

    it('files a fact under the given categories that it speaks of', async () => {
      const custom_categories = { food: 'meals, drinks, cooking', travel: 'trips and journeys' };
      const id = await remember('Alice cooks on Sundays', { custom_categories });

      expect(await target.call('get_memory', { memory_id: id })).toMatchObject({
        categories: ['food'],
      });
      expect(await listed({ user_id: 'alice', categories: ['food'] })).toHaveLength(1);
      expect(await listed({ user_id: 'alice', categories: ['travel'] })).toEqual([]);
    });

    it('files what is understood under the default catalogue, unless an empty one is given', async () => {
      const add = (content: string, more: Record<string, unknown>) =>
        target.call('add_memory', {
          messages: [{ role: 'user', content }],
          user_id: 'alice',
          infer: true,
          ...more,
        });
      await add('I am allergic to peanuts.', {});
      await add('I play tennis every Sunday.', { custom_categories: {} });

      const { results } = await target.call('get_memories', { filters: { user_id: 'alice' } });
      const categories = new Map(results.map((memory) => [memory.memory, memory.categories]));
      expect(categories.get('User is allergic to peanuts.')).toContain('health');
      expect(categories.get('User plays tennis every Sunday.')).toEqual([]);
    });

    it('keeps metadata, expiry and the given time', async () => {
      const id = await remember('The lease ends', {
        metadata: { source: 'mail', tags: ['home'] },
        expiration_date: '2030-01-31',
        timestamp: 1_700_000_000,
      });

      expect(await target.call('get_memory', { memory_id: id })).toMatchObject({
        metadata: { source: 'mail', tags: ['home'] },
        expiration_date: '2030-01-31',
        created_at: '2023-11-14T22:13:20.000Z',
        structured_attributes: { year: 2023, month: 11, day: 14, day_of_week: 'tuesday' },
      });
    });

    it('tells what kind of thing was said, and when it happens', async () => {
      const messages = [
        { role: 'user', content: 'I live in Porto.' },
        { role: 'user', content: 'I flew to Oslo on 3 May 2024.' },
      ];
      const add = { messages, user_id: 'alice', infer: true, async_mode: false };
      const { results } = await target.call('add_memory', add);
      const [home, trip] = await Promise.all(
        results.map(({ id }) => target.call('get_memory', { memory_id: String(id) })),
      );

      expect(home).toMatchObject({ type: 'fact', slot: 'user:lives_in', occurred_at: null });
      expect(trip).toMatchObject({
        type: 'event',
        slot: null,
        occurred_at: '2024-05-03T00:00:00.000Z',
        occurred_granularity: 'day',
      });
      const of = async (filters: object) => (await listed({ user_id: 'alice', filters })).length;
      expect(await of({ type: 'event' })).toBe(1);
      expect(await of({ occurred_at: { gte: '2024-05-03', lte: '2024-05-03' } })).toBe(1);
      expect(await of({ occurred_at: { gt: '2024-05-03' } })).toBe(0);
    });

    it('strips characters that hide text from people', async () => {
      const id = await remember('Likes \u202Egreen\u2066 tea\u0000 \u{E0041}and 👩‍👩‍👧');

      const { memory } = await target.call('get_memory', { memory_id: id });

      expect(memory).toBe('Likes green tea and 👩‍👩‍👧');
    });

    it.each([
      ['no messages', { user_id: 'alice' }, 'messages'],
      ['an empty text', { text: ' \n ', user_id: 'alice' }, 'text'],
      ['a text over the limit', { text: 'x'.repeat(32_001), user_id: 'alice' }, '32000'],
      ['a wrong type', { text: 7, user_id: 'alice' }, 'text'],
      ['any user', { text: 'x', user_id: '*' }, 'user_id'],
      ['an empty id', { text: 'x', user_id: '' }, 'user_id'],
      ['an id over the limit', { text: 'x', user_id: 'x'.repeat(256) }, '255'],
      ['a control character in an id', { text: 'x', user_id: 'a\u0007' }, 'user_id'],
      ['metadata that is a list', { text: 'x', user_id: 'a', metadata: [] }, 'metadata'],
      [
        'metadata over the limit',
        { text: 'x', user_id: 'a', metadata: { big: 'x'.repeat(16_384) } },
        '16384',
      ],
      [
        'metadata with __proto__',
        { text: 'x', user_id: 'a', metadata: JSON.parse('{"__proto__":{"admin":true}}') },
        '__proto__',
      ],
      [
        'metadata nested too deep',
        { text: 'x', user_id: 'a', metadata: { a: { b: { c: { d: { e: { f: {} } } } } } } },
        'deep',
      ],
      [
        'a day that does not exist',
        { text: 'x', user_id: 'a', expiration_date: '2026-02-30' },
        'expiration_date',
      ],
      ['a timestamp in milliseconds', { text: 'x', user_id: 'a', timestamp: 1.7e12 }, 'timestamp'],
    ])('refuses %s and names the field or limit', async (_what, input, named) => {
      const refusal = await target.refusal('add_memory', input);

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining(named) });
      expect(await listed({ filters: { user_id: '*' } })).toEqual([]);
    });

    it('refuses a reader', async () => {
      const reader = target.as({ read_only: true });

      const refusal = await reader.refusal('add_memory', { text: 'x', user_id: 'alice' });

      expect(refusal.code).toBe('forbidden');
    });
  });

  describe('searching', () => {
    it('finds by meaning-bearing words, whatever their form, best first', async () => {
      await remember('Alice likes hiking in the Alps');
      await remember('Alice works as a nurse in Porto');
      await remember('Bob hikes too');

      expect(await recall('Where does Alice hike?')).toEqual([
        'Alice likes hiking in the Alps',
        'Bob hikes too',
        'Alice works as a nurse in Porto',
      ]);
    });

    it('answers scores from 0 to 1 and leaves out what is under the threshold', async () => {
      await remember('Alice likes hiking in the Alps');
      await remember('The train to Porto is slow');

      const input = { query: 'hiking Alps', user_id: 'alice', threshold: 0.3 };
      const { results } = await target.call('search_memories', input);

      expect(results.map(({ memory }) => memory)).toEqual(['Alice likes hiking in the Alps']);
      expect(results[0]?.score).toBeGreaterThan(0.3);
      expect(results[0]?.score).toBeLessThanOrEqual(1);
    });

    it('finds the only memory of a new user', async () => {
      await remember('Allergic to peanuts');

      expect(await recall('peanut allergies')).toEqual(['Allergic to peanuts']);
    });

    it('never leaves the scope that was asked for', async () => {
      await remember('Alice drinks tea');
      await remember('Bob drinks tea', { user_id: 'bob' });
      await remember('Alice drinks tea at work', { run_id: 'work' });

      expect(await recall('tea', { user_id: 'bob' })).toEqual(['Bob drinks tea']);
      expect(await recall('tea', { run_id: 'work' })).toEqual(['Alice drinks tea at work']);
      expect(await recall('tea', { user_id: 'nobody' })).toEqual([]);
    });

    it('scores alike whether the user is named beside the filters or in them', async () => {
      await remember('Alice drinks green tea in Porto');
      await remember('Alice drinks coffee');
      for (let index = 0; index < 60; index += 1) {
        await remember(`The train number ${index} is late`, { user_id: 'bob' });
      }
      const query = 'Who drinks tea in Porto?';

      const beside = await target.call('search_memories', { query, user_id: 'alice' });
      const filters = { AND: [{ user_id: 'alice' }] };
      const inside = await target.call('search_memories', { query, filters });

      expect(beside.results).toHaveLength(2);
      expect(inside.results).toEqual(beside.results);
    });

    it('applies filters before it counts to top_k', async () => {
      for (let index = 0; index < 30; index += 1) await remember(`Tea number ${index}`);
      await remember('Tea from Assam', { metadata: { origin: 'india' } });

      const found = await recall('tea', { top_k: 1, filters: { metadata: { origin: 'india' } } });

      expect(found).toEqual(['Tea from Assam']);
    });

    it('hides expired memories unless asked to show them', async () => {
      await remember('Parking permit is 4711', { expiration_date: '2026-03-14' });

      expect(await recall('parking permit')).toHaveLength(1);
      target.engine.clock.set('2026-03-15T00:00:01.000Z');
      expect(await recall('parking permit')).toEqual([]);
    });

    it.each([
      'tea"',
      'tea*',
      'NEAR(tea, 2)',
      'tea AND',
      'OR',
      '"',
      '*',
      'terms:tea',
      '-tea',
      "'; DROP TABLE memories; --",
      '()',
      'tea\u0000',
      '{scope}:p1',
      'ﷺ 𝒯𝑒𝒶',
      '🍵',
    ])('takes hostile text as words: %s', async (query) => {
      await remember('Alice drinks tea');

      const found = await recall(query, { threshold: 0 });

      expect(found.length).toBeLessThanOrEqual(1);
      expect(await listed({ user_id: 'alice' })).toEqual(['Alice drinks tea']);
    });

    it('finds text in scripts written without spaces, and across accents', async () => {
      await remember('私は東京で寿司を食べるのが好きです');
      await remember('我喜欢在周末爬山');
      await remember('Café Müller serves the best crème brûlée');

      expect(await recall('寿司')).toEqual(['私は東京で寿司を食べるのが好きです']);
      expect(await recall('周末爬山')).toEqual(['我喜欢在周末爬山']);
      expect(await recall('山')).toEqual(['我喜欢在周末爬山']);
      expect(await recall('creme brulee cafe')).toEqual([
        'Café Müller serves the best crème brûlée',
      ]);
    });

    it.each([
      ['no query', {}, 'query'],
      ['an empty query', { query: ' ' }, 'query'],
      ['a query over the limit', { query: 'x'.repeat(100_001) }, '100000'],
      ['top_k of 0', { query: 'x', top_k: 0 }, 'top_k'],
      ['top_k over the limit', { query: 'x', top_k: 1001 }, '1000'],
      ['a threshold over 1', { query: 'x', threshold: 1.5 }, 'threshold'],
      ['an unknown filter field', { query: 'x', filters: { usr: 'a' } }, 'user_id'],
      ['an unknown operator', { query: 'x', filters: { user_id: { like: 'a' } } }, 'contains'],
      ['an empty OR', { query: 'x', filters: { OR: [] } }, 'OR'],
    ])('refuses %s and names the field or limit', async (_what, input, named) => {
      const refusal = await target.refusal('search_memories', { user_id: 'alice', ...input });

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining(named) });
    });

    it('refuses a filter nested 50 deep or of more than 200 conditions', async () => {
      let deep: Record<string, unknown> = { user_id: 'alice' };
      for (let level = 0; level < 50; level += 1) deep = { AND: [deep] };
      const wide = { OR: Array.from({ length: 201 }, (_, index) => ({ user_id: `u${index}` })) };

      const refusals = [
        await target.refusal('search_memories', { query: 'x', filters: deep }),
        await target.refusal('search_memories', { query: 'x', filters: wide }),
      ];

      expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'invalid']);
      // REST counts the levels of a whole body first.
      expect(refusals[0]?.message).toMatch(/nested .*\b(8|100)\b/);
      expect(refusals[1]?.message).toContain('200');
    });
  });

  describe('listing', () => {
    it('answers newest first, page by page, with the total', async () => {
      for (const day of [1, 2, 3]) {
        await remember(`Day ${day}`, { timestamp: day * 86_400 });
      }

      const first = await target.call('get_memories', { user_id: 'alice', page_size: 2 });
      const second = await target.call('get_memories', { user_id: 'alice', page: 2, page_size: 2 });
      const third = await target.call('get_memories', { user_id: 'alice', page: 3, page_size: 2 });

      expect(first.results.map(({ memory }) => memory)).toEqual(['Day 3', 'Day 2']);
      expect(second.results.map(({ memory }) => memory)).toEqual(['Day 1']);
      expect(third.results).toEqual([]);
      expect([first.total, second.total, third.total]).toEqual([3, 3, 3]);
    });

    it('combines AND, OR and NOT with every kind of field', async () => {
      await remember('Pays rent of 900 in Lisbon', { metadata: { amount: 900, city: 'Lisbon' } });
      await remember('Pays rent of 1200 in Porto', { metadata: { amount: 1200, city: 'Porto' } });
      await remember('Has a cat', { user_id: 'bob' });

      const filters = {
        AND: [
          { user_id: 'alice' },
          { OR: [{ metadata: { amount: { gt: 1000 } } }, { text: { icontains: 'LISBON' } }] },
        ],
        NOT: [{ metadata: { city: 'Porto' } }],
      };

      expect(await listed({ filters })).toEqual(['Pays rent of 900 in Lisbon']);
      expect(await listed({ filters: { keywords: 'rent porto' } })).toEqual([
        'Pays rent of 1200 in Porto',
      ]);
      expect(await listed({ filters: { user_id: { in: ['bob', 'carol'] } } })).toEqual([
        'Has a cat',
      ]);
      expect(await listed({ filters: { user_id: { ne: 'alice' } } })).toEqual(['Has a cat']);
    });

    it('reads a star among keywords as text, not as "any"', async () => {
      await remember('Has a cat');
      await remember('Gave it * * * * *');

      expect(await listed({ user_id: 'alice', keywords: '*' })).toEqual(['Gave it * * * * *']);
    });

    it('reads a bare date as an upper bound as that whole day', async () => {
      await remember('In the evening', { timestamp: Date.parse('2026-02-01T22:00:00Z') / 1000 });
      await remember('Next morning', { timestamp: Date.parse('2026-02-02T07:00:00Z') / 1000 });

      const filters = { created_at: { gte: '2026-02-01', lte: '2026-02-01' } };

      expect(await listed({ user_id: 'alice', filters })).toEqual(['In the evening']);
    });

    it('refuses a page size over the limit', async () => {
      const refusal = await target.refusal('get_memories', { user_id: 'a', page_size: 1001 });

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('1000') });
    });
  });

  describe('one memory by id', () => {
    it('is updated in place, keeps its id, and its history tells both texts', async () => {
      const id = await remember('Alice lives in Paris');

      await target.call('update_memory', { memory_id: id, text: 'Alice lives in Rome' });

      const { results } = await target.call('get_history', { memory_id: id });
      expect(await target.call('get_memory', { memory_id: id })).toMatchObject({
        memory: 'Alice lives in Rome',
      });
      expect(await recall('Paris')).toEqual([]);
      expect(await recall('Rome')).toEqual(['Alice lives in Rome']);
      expect(
        results.map(({ event, old_memory, new_memory }) => [event, old_memory, new_memory]),
      ).toEqual([
        ['ADD', null, 'Alice lives in Paris'],
        ['UPDATE', 'Alice lives in Paris', 'Alice lives in Rome'],
      ]);
    });

    it('has its metadata replaced and its expiry set and cleared', async () => {
      const id = await remember('Trial of the gym', { metadata: { a: 1 } });

      await target.call('update_memory', { memory_id: id, metadata: { b: 2 } });
      await target.call('update_memory', { memory_id: id, expiration_date: '2030-01-01' });
      const dated = await target.call('get_memory', { memory_id: id });
      await target.call('update_memory', { memory_id: id, expiration_date: null });
      const cleared = await target.call('get_memory', { memory_id: id });

      expect(dated).toMatchObject({ metadata: { b: 2 }, expiration_date: '2030-01-01' });
      expect(cleared).toMatchObject({ memory: 'Trial of the gym', expiration_date: null });
    });

    it('can be immutable: updates are refused, deletes are not', async () => {
      const id = await remember('Born in 1990', { immutable: true });

      const single = await target.refusal('update_memory', { memory_id: id, text: 'Born in 1991' });
      const batch = await target.refusal('batch_update_memories', {
        memories: [{ memory_id: id, text: 'Born in 1991' }],
      });
      await target.call('delete_memory', { memory_id: id });

      expect([single.code, batch.code]).toEqual(['conflict', 'conflict']);
      expect((await target.refusal('get_memory', { memory_id: id })).code).toBe('not_found');
    });

    it('is gone after a delete, but its history stays and ends with it', async () => {
      const id = await remember('Alice has a bike');

      await target.call('delete_memory', { memory_id: id });

      const { results } = await target.call('get_history', { memory_id: id });
      expect(await listed({ user_id: 'alice' })).toEqual([]);
      expect(await recall('bike')).toEqual([]);
      expect(results.map(({ event }) => event)).toEqual(['ADD', 'DELETE']);
    });

    it('takes a rating, and the next rating replaces it', async () => {
      const id = await remember('Alice has a bike');

      const first = await target.call('add_feedback', { memory_id: id, feedback: 'POSITIVE' });
      const second = await target.call('add_feedback', {
        memory_id: id,
        feedback: 'VERY_NEGATIVE',
        feedback_reason: 'sold it',
      });

      expect(first).toMatchObject({ feedback: 'POSITIVE', feedback_reason: null });
      expect(second).toMatchObject({
        id: first.id,
        feedback: 'VERY_NEGATIVE',
        feedback_reason: 'sold it',
      });
    });

    it('refuses an unknown rating and an update of nothing', async () => {
      const id = await remember('Alice has a bike');

      const rating = await target.refusal('add_feedback', { memory_id: id, feedback: 'MEH' });
      const nothing = await target.refusal('update_memory', { memory_id: id });

      expect(rating).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('VERY_NEGATIVE'),
      });
      expect(nothing).toMatchObject({ code: 'invalid', message: expect.stringContaining('text') });
    });

    it.each([
      ['get_memory', {}],
      ['update_memory', { text: 'new' }],
      ['delete_memory', {}],
      ['get_history', {}],
      ['add_feedback', { feedback: 'POSITIVE' }],
    ] as const)('%s answers an unknown id and one of another project alike', async (name, more) => {
      const id = await remember('Secret of the default project');
      const elsewhere = target.as({ project_id: target.engine.projects.sibling.project_id });

      const unknown = await target.refusal(name, { memory_id: unknownId, ...more });
      const hidden = await elsewhere.refusal(name, { memory_id: id, ...more });

      expect(unknown.code).toBe('not_found');
      expect(hidden).toEqual(unknown);
      expect(await target.call('get_memory', { memory_id: id })).toMatchObject({ id });
    });

    it.each([
      ['get_memory', {}],
      ['update_memory', { text: 'new' }],
      ['delete_memory', {}],
      ['get_history', {}],
      ['add_feedback', { feedback: 'POSITIVE' }],
    ] as const)('%s refuses a malformed id', async (name, more) => {
      const refusal = await target.refusal(name, { memory_id: 'not-a-uuid', ...more });

      expect(refusal).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('memory_id'),
      });
    });

    it.each([
      ['update_memory', { text: 'new' }],
      ['delete_memory', {}],
      ['add_feedback', { feedback: 'POSITIVE' }],
    ] as const)('%s is refused to a reader, who may still read', async (name, more) => {
      const id = await remember('Alice has a bike');
      const reader = target.as({ read_only: true });

      const refusal = await reader.refusal(name, { memory_id: id, ...more });

      expect(refusal.code).toBe('forbidden');
      expect(await reader.call('get_memory', { memory_id: id })).toMatchObject({ id });
    });
  });

  describe('many at once', () => {
    it('are updated all or none', async () => {
      const one = await remember('One');
      const two = await remember('Two');

      const refusal = await target.refusal('batch_update_memories', {
        memories: [
          { memory_id: one, text: 'Uno' },
          { memory_id: unknownId, text: 'Nada' },
        ],
      });
      await target.call('batch_update_memories', {
        memories: [
          { memory_id: one, text: 'Eins' },
          { memory_id: two, metadata: { n: 2 } },
        ],
      });

      expect(refusal).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining(unknownId),
      });
      expect(await target.call('get_memory', { memory_id: one })).toMatchObject({ memory: 'Eins' });
      expect(await target.call('get_memory', { memory_id: two })).toMatchObject({
        memory: 'Two',
        metadata: { n: 2 },
      });
    });

    it('are deleted by id, all or none', async () => {
      const one = await remember('One');
      const two = await remember('Two');

      const refusal = await target.refusal('batch_delete_memories', {
        memory_ids: [one, unknownId],
      });
      const kept = await listed({ user_id: 'alice' });
      await target.call('batch_delete_memories', { memory_ids: [one, two, one] });

      expect(refusal.code).toBe('not_found');
      expect(kept).toHaveLength(2);
      expect(await listed({ user_id: 'alice' })).toEqual([]);
    });

    it('may be 1,000 and no more', async () => {
      const ids = Array.from({ length: 1001 }, () => unknownId);

      const refusal = await target.refusal('batch_delete_memories', { memory_ids: ids });

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('1001') });
      expect(refusal.message).toContain('1000');
    });

    it('are deleted by filter, and nothing else is', async () => {
      await remember('Keep me', { user_id: 'bob' });
      await remember('Expired', { expiration_date: '2020-01-01' });
      for (let index = 0; index < 12; index += 1) await remember(`Note ${index}`);

      const { deleted } = await target.call('delete_all_memories', { user_id: 'alice' });

      expect(deleted).toBe(13);
      expect(await listed({ filters: { user_id: '*' }, show_expired: true })).toEqual(['Keep me']);
    });

    // Agents name whose memories go: there, "*" is for reading.
    it.skipIf(name.startsWith('through MCP'))('all go where every entity may be any', async () => {
      const any = { user_id: '*', agent_id: '*', app_id: '*', run_id: '*' };
      await remember('Of a user');
      await remember('Of another user with an agent', { user_id: 'bob', agent_id: 'tutor' });
      await remember('Marked', { metadata: { mark: 'x' } });

      const marked = await target.call('delete_all_memories', { ...any, metadata: { mark: 'x' } });
      const rest = await target.call('delete_all_memories', any);

      expect([marked.deleted, rest.deleted]).toEqual([1, 2]);
      expect(await listed({ filters: { user_id: '*' } })).toEqual([]);
    });

    it('are never deleted by a filter that says nothing', async () => {
      await remember('Keep me');

      const refusals = [
        await target.refusal('delete_all_memories', {}),
        await target.refusal('delete_all_memories', { filters: {} }),
        await target.refusal('delete_all_memories', { filters: { AND: [] } }),
        await target.refusal('delete_all_memories', { filters: "{'user_id': 'alice'}" }),
      ];

      expect(refusals.map(({ code }) => code)).toEqual([
        'invalid',
        'invalid',
        'invalid',
        'invalid',
      ]);
      expect(await listed({ user_id: 'alice' })).toEqual(['Keep me']);
    });

    it.each([
      ['batch_update_memories', { memories: [{ memory_id: unknownId, text: 'x' }] }],
      ['batch_delete_memories', { memory_ids: [unknownId] }],
      ['delete_all_memories', { user_id: 'alice' }],
    ] as const)('%s is refused to a reader and in an unknown project', async (name, input) => {
      const reader = target.as({ read_only: true });
      const lost = target.as({ project_id: 'no-such-project' });

      expect((await reader.refusal(name, input)).code).toBe('forbidden');
      expect((await lost.refusal(name, input)).code).toBe('not_found');
    });

    it('of another project are out of reach', async () => {
      const id = await remember('Secret of the default project');
      const elsewhere = target.as({ project_id: target.engine.projects.foreign.project_id });

      const updated = await elsewhere.refusal('batch_update_memories', {
        memories: [{ memory_id: id, text: 'x' }],
      });
      const deleted = await elsewhere.refusal('batch_delete_memories', { memory_ids: [id] });

      expect([updated.code, deleted.code]).toEqual(['not_found', 'not_found']);
      expect(await target.call('get_memory', { memory_id: id })).toMatchObject({
        memory: 'Secret of the default project',
      });
    });
  });
});
