import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createJobWorker } from '../../src/core/jobs/job-worker.ts';
import type { Deps } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { type Extract, extractorFrom } from '../support/extractor.ts';

const messages = [
  { role: 'user', content: 'A long story.' },
  { role: 'user', content: 'And another one.', name: 'Bea' },
];
const count = 450;
const texts = Array.from({ length: count }, (_, index) => `Fact ${index}`);

/** The transaction that stores the last: one plans, each takes 100 facts. */
const allStored = 1 + Math.ceil(count / 100);

/** Finds as many facts as several transactions take, in both messages. */
const many: Extract = async (given) =>
  texts.flatMap((text, index) => {
    const source = given[index % 2];
    return source === undefined ? [] : [{ text, source }];
  });

describe('an add of many facts', () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
    await engine.worker.stop();
  });
  afterEach(() => engine.stop());

  async function add(): Promise<string> {
    const input = { messages, user_id: 'alice' };
    return (await engine.invoke('add_memory', input, { caller: owner })).event_id;
  }

  const eventOf = (event_id: string) => engine.invoke('get_event', { event_id }, { caller: owner });
  const ended = (event_id: string) =>
    vi.waitFor(
      async () => {
        const event = await eventOf(event_id);
        expect(['SUCCEEDED', 'FAILED']).toContain(event.status);
        return event;
      },
      { timeout: 20_000 },
    );

  async function stored(): Promise<string[]> {
    const input = { user_id: 'alice', page_size: 1000 };
    const { results } = await engine.invoke('get_memories', input, { caller: owner });
    return results.map(({ memory }) => String(memory)).sort();
  }

  /** A worker that does something after each of its transactions, by their number. */
  function work(extract: Extract, after: (transaction: number) => unknown = () => {}) {
    const { store } = engine;
    let transactions = 0;
    const transaction: Deps['store']['transaction'] = async (run) => {
      const answer = await store.transaction(run);
      transactions += 1;
      await after(transactions);
      return answer;
    };
    const deps: Deps = {
      ...engine.deps,
      extractor: extractorFrom(extract),
      store: { ...store, transaction },
    };
    const worker = createJobWorker(deps, { owner: `w${Math.random()}`, lease_ms: 1_000 });
    onTestFinished(() => worker.stop());
    return { worker, count: () => transactions };
  }

  it('stores them in several transactions, and tells of all in their order', async () => {
    const { count: transactions } = work(many);
    const event = await ended(await add());

    const history = await engine.invoke(
      'get_history',
      { memory_id: event.results[1]?.id ?? '' },
      { caller: owner },
    );
    expect(event.status).toBe('SUCCEEDED');
    expect(event.results.map(({ memory }) => memory)).toEqual(texts);
    expect(await stored()).toEqual(texts.toSorted());
    expect(transactions()).toBeGreaterThan(5);
    expect(history.results).toMatchObject([{ event: 'ADD', input: [messages[1]] }]);
    expect(await engine.store.jobs.count()).toBe(0);
  });

  it('stores long texts in more transactions, for which others wait less', async () => {
    const long = 'a word '.repeat(250);
    const { count: transactions } = work(async ([source]) =>
      source === undefined
        ? []
        : texts.slice(0, 101).map((text) => ({ text: text + long, source })),
    );
    const { status } = await ended(await add());

    expect(status).toBe('SUCCEEDED');
    expect(transactions()).toBeGreaterThan(15);
  });

  it('stores what is said twice once, however far apart', async () => {
    work(async (...given) => [...(await many(...given)), ...(await many(...given))]);
    const { results } = await ended(await add());

    expect(await stored()).toEqual(texts.toSorted());
    expect(results.map(({ event }) => event)).toEqual([
      ...texts.map(() => 'ADD'),
      ...texts.map(() => 'NOOP'),
    ]);
  });

  it('goes on where it was stopped, with the facts that were found first', async () => {
    const first = work(many, (number) => {
      if (number === 4) void first.worker.stop();
    });
    const event_id = await add();
    await eventually(() => expect(first.count()).toBeGreaterThanOrEqual(4));
    await first.worker.stop();
    const between = await eventOf(event_id);
    const before = await stored();
    const again = vi.fn<Extract>(async () => []);
    work(again);
    const { results } = await ended(event_id);

    expect(between).toMatchObject({ status: 'RUNNING', results: [] });
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(count);
    expect(again).not.toHaveBeenCalled();
    expect(results.map(({ memory }) => memory)).toEqual(texts);
    expect(results.every(({ event }) => event === 'ADD')).toBe(true);
    expect(await stored()).toEqual(texts.toSorted());
  });

  it('ends where all is stored but its end', async () => {
    const first = work(many, (number) => {
      if (number === allStored) void first.worker.stop();
    });
    const event_id = await add();
    await eventually(() => expect(first.count()).toBeGreaterThanOrEqual(allStored));
    await first.worker.stop();
    const between = await eventOf(event_id);
    const before = await stored();
    const again = vi.fn<Extract>(many);
    work(again);
    const { status, results } = await ended(event_id);

    expect(between).toMatchObject({ status: 'RUNNING', results: [] });
    expect(before).toEqual(texts.toSorted());
    expect(status).toBe('SUCCEEDED');
    expect(results.map(({ memory }) => memory)).toEqual(texts);
    expect(again).not.toHaveBeenCalled();
  });

  it('is applied once when another process takes it over in the middle', async () => {
    let taken = false;
    const event_id = await add();
    work(many, async (number) => {
      if (number !== 4) return;
      engine.clock.advance(2_000);
      work(
        async () => [],
        () => {
          taken = true;
        },
      );
      await eventually(() => expect(taken).toBe(true));
    });
    const { status, results } = await ended(event_id);

    expect(status).toBe('SUCCEEDED');
    expect(results.filter(({ event }) => event === 'ADD')).toHaveLength(count);
    expect(await stored()).toEqual(texts.toSorted());
  });

  it('keeps its claim while it goes on, however long that takes', async () => {
    const event_id = await add();
    const claimed: unknown[] = [];
    work(many, async () => {
      engine.clock.advance(600);
      const now = engine.clock.now();
      claimed.push(await engine.store.jobs.claim({ owner: 'thief', now, until: now }));
    });

    expect((await ended(event_id)).results).toHaveLength(count);
    expect(claimed.filter((job) => job !== null)).toEqual([]);
  });

  it('tells what was stored when the rest can not be', async () => {
    const event_id = await add();
    const { worker } = work(many, (number) => {
      if (number > 3) throw new Error('broken');
    });
    const failed = vi.waitFor(
      async () => {
        engine.clock.advance(60_000);
        worker.wake();
        expect((await eventOf(event_id)).status).toBe('FAILED');
      },
      { timeout: 20_000 },
    );
    await failed;

    const { results, error } = await eventOf(event_id);
    expect(error).toContain('5 attempts');
    expect(results.map(({ memory }) => memory).sort()).toEqual(await stored());
    expect(results.length).toBeLessThan(count);
  });

  it('leaves nothing behind when its user is deleted in the middle', async () => {
    const event_id = await add();
    work(many, async (number) => {
      if (number !== 4) return;
      const target = { entity_type: 'user', entity_id: 'alice' };
      await engine.invoke('delete_entity', target, { caller: owner });
    });

    expect(await ended(event_id)).toMatchObject({ status: 'FAILED', payload: {}, results: [] });
    expect(await stored()).toEqual([]);
    expect(await engine.store.jobs.count()).toBe(0);
  });
});
