import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Decision, Extractor } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

const unknown = { type: null, slot: null, occurred: null, said: null };
const plain: Decision = {
  event: 'ADD',
  text: 'Lives in Paris',
  target: null,
  message: 0,
  reason: null,
  ...unknown,
};

describe('decisions about memories', () => {
  let engine: Engine;
  let extractor: Extractor;

  beforeEach(async () => {
    const extract: Extractor['extract'] = (...given) => extractor.extract(...given);
    engine = await startEngine({ extractor: { extract } });
  });
  afterEach(() => engine.stop());

  /** Adds messages that come to these decisions; `meanwhile` happens before they are applied. */
  async function decide(
    decisions: Partial<Decision>[],
    more: { input?: Record<string, unknown>; meanwhile?: () => unknown } = {},
  ) {
    extractor = {
      extract: async () => {
        await more.meanwhile?.();
        const made = decisions.map((decision) => ({ ...plain, ...decision }));
        return { decisions: made, by: 'a model', notice: 'slow today', cost: null };
      },
    };
    const messages = [{ role: 'user', content: 'I moved from Paris to Rome.' }];
    const input = { messages, user_id: 'ann', async_mode: false, ...more.input };
    const { event_id, results } = await engine.invoke('add_memory', input, { caller: owner });
    return { event_id, results };
  }

  async function store(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const input = { text, user_id: 'ann', ...more };
    const { results } = await engine.invoke('add_memory', input, { caller: owner });
    return results[0]?.id ?? '';
  }

  async function stored(user_id = 'ann', filters: Record<string, unknown> = {}) {
    const input = { user_id, filters };
    const { results } = await engine.invoke('get_memories', input, { caller: owner });
    return results.map(({ memory }) => memory);
  }

  it('update a memory in place, and its history keeps the old text and when it ended', async () => {
    const id = await store('Paris is home', { timestamp: 1_700_000_000 });

    const input = { timestamp: 1_750_000_000 };
    const { results } = await decide(
      [{ event: 'UPDATE', target: id, text: 'Lives in Rome', reason: 'moved' }],
      { input },
    );

    const { results: history } = await engine.invoke(
      'get_history',
      { memory_id: id },
      { caller: owner },
    );
    expect(results).toMatchObject([{ id, event: 'UPDATE', reason: 'moved' }]);
    expect(await stored()).toEqual(['Lives in Rome']);
    expect(history).toMatchObject([
      { event: 'ADD', created_at: '2023-11-14T22:13:20.000Z' },
      {
        event: 'UPDATE',
        old_memory: 'Paris is home',
        input: [{ content: 'I moved from Paris to Rome.' }],
        created_at: '2025-06-15T15:06:40.000Z',
      },
    ]);
  });

  it('are told in the event, with who made them', async () => {
    const { event_id } = await decide([{ event: 'NOOP', reason: 'small talk' }]);

    const event = await engine.invoke('get_event', { event_id }, { caller: owner });
    expect(event.metadata).toEqual({ by: 'a model', notice: 'slow today' });
    expect(event.results).toMatchObject([{ event: 'NOOP', id: null, reason: 'small talk' }]);
  });

  it.each(['UPDATE', 'DELETE'] as const)(
    'do not touch with %s what belongs to somebody else',
    async (event) => {
      const target = await store('Paris is my home', { user_id: 'bob' });

      const { results } = await decide([{ event, target, text: 'Lives in Rome' }]);

      expect(results[0]?.event).not.toBe(event);
      expect(await stored('bob')).toEqual(['Paris is my home']);
    },
  );

  it('do not touch what has another run, was not looked up, or is immutable', async () => {
    const targets = [
      await store('Paris is nice', { run_id: 'r1' }),
      await store('Nothing of the kind'),
      await store('Paris forever', { immutable: true }),
    ];
    // Only the newest are looked up without a word in common.
    for (let count = 0; count < 20; count += 1) await store(`Number ${count}`);

    const { results } = await decide(
      targets.flatMap((target, index) => [
        { event: 'UPDATE' as const, target, text: `Changed ${index}` },
        { event: 'DELETE' as const, target },
      ]),
    );

    expect(results.map(({ event }) => event)).toEqual(targets.flatMap(() => ['ADD', 'NOOP']));
    expect(await stored()).toEqual(
      expect.arrayContaining(['Paris is nice', 'Nothing of the kind', 'Paris forever']),
    );
  });

  it('do not touch what has changed since they were made', async () => {
    const target = await store('Paris is home');
    const meanwhile = () =>
      engine.invoke(
        'update_memory',
        { memory_id: target, text: 'Oslo is home' },
        { caller: owner },
      );

    const { results } = await decide(
      [
        { event: 'UPDATE', target, text: 'Lives in Rome' },
        { event: 'DELETE', target },
      ],
      { meanwhile },
    );

    expect(results).toMatchObject([
      { event: 'ADD', reason: expect.stringContaining('changed since') },
      { event: 'NOOP', reason: expect.stringContaining('changed since') },
    ]);
    expect((await stored()).sort()).toEqual(['Lives in Rome', 'Oslo is home']);
  });

  it('delete a memory of the same owner', async () => {
    const target = await store('Paris is home');

    const { results } = await decide([{ event: 'DELETE', target }]);

    expect(results).toMatchObject([{ event: 'DELETE', id: target, memory: 'Paris is home' }]);
    expect(await stored()).toEqual([]);
  });

  it('fill a slot once, also within one conversation', async () => {
    const slot = 'user:lives_in';

    const { results } = await decide([
      { text: 'Lives in Paris', slot },
      { text: 'Lives in Rome', slot },
    ]);
    await decide([{ text: 'Lives in Oslo', slot }]);

    expect(results.map(({ event }) => event)).toEqual(['ADD', 'UPDATE']);
    expect(await stored()).toEqual(['Lives in Oslo']);
  });

  it('pin what supersedes a pinned memory, by its text or its slot', async () => {
    const slot = 'user:works_for';
    const target = await store('Paris is home', { pinned: true });
    await decide([{ text: 'Works for Acme', slot }], { input: { pinned: true } });

    await decide([{ event: 'UPDATE', target, text: 'Lives in Rome' }]);
    await decide([{ text: 'Works for Initech', slot }]);
    await decide([{ text: 'Likes tea' }]);

    expect((await stored('ann', { pinned: true })).sort()).toEqual([
      'Lives in Rome',
      'Works for Initech',
    ]);
  });

  it('pin what they change if the add says so', async () => {
    const target = await store('Paris is home');

    await decide([{ event: 'UPDATE', target, text: 'Lives in Rome' }], { input: { pinned: true } });

    expect(await stored('ann', { pinned: true })).toEqual(['Lives in Rome']);
  });

  it('leave a slot to what was said later', async () => {
    const slot = 'user:lives_in';
    await decide([{ text: 'Lives in Rome', slot }], { input: { timestamp: 1_750_000_000 } });

    await decide([{ text: 'Lives in Paris', slot }], { input: { timestamp: 1_700_000_000 } });
    await decide([{ text: 'Lives in Oslo', slot }]);

    expect((await stored()).sort()).toEqual(['Lives in Oslo', 'Lives in Paris']);
  });
});
