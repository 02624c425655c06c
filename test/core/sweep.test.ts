import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSweeper, sweep } from '../../src/core/jobs/sweep.ts';
import { doneEvent } from '../../src/core/memory/record.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

const dayMs = 24 * 60 * 60 * 1000;
const kept = { retention_days: 30, export_retention_days: 7 };

describe('the sweeper', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await engine.stop();
  });

  async function add(text: string): Promise<void> {
    await engine.invoke('add_memory', { text, user_id: 'alice' }, { caller: owner });
  }

  async function events(): Promise<string[]> {
    const { results } = await engine.invoke('list_events', {}, { caller: owner });
    return results.flatMap(({ results: changes }) => changes.map(({ memory }) => memory));
  }

  it('forgets events past their time, and keeps the memories', async () => {
    await add('Old');
    engine.clock.advance(29 * dayMs);
    await add('New');
    engine.clock.advance(2 * dayMs);

    await sweep(engine.deps, kept);

    const { total } = await engine.invoke('get_memories', { user_id: 'alice' }, { caller: owner });
    expect(await events()).toEqual(['New']);
    expect(total).toBe(2);
  });

  it('forgets more events than one transaction takes', async () => {
    const { store, deps, projects } = engine;
    const event = { event_type: 'SEARCH', payload: {} } as const;
    const many = Array.from({ length: 2_500 }, () => ({
      project: projects.own,
      event: doneEvent(deps, event),
    }));
    await store.transaction((tables) => tables.events.insertMany(many));
    engine.clock.advance(2 * dayMs);

    await sweep(deps, { ...kept, retention_days: 1 });

    expect(await store.events.count(projects.own)).toEqual({});
  });

  it('forgets settled deliveries, not those that wait', async () => {
    const url = 'https://hooks.example.com/';
    const { webhook_id } = await engine.invoke('create_webhook', { url }, { caller: owner });
    await engine.invoke('test_webhook', { webhook_id }, { caller: owner });
    await add('Waits');
    engine.clock.advance(31 * dayMs);

    await sweep(engine.deps, kept);

    const { results } = await engine.invoke(
      'list_webhook_deliveries',
      { webhook_id },
      { caller: owner },
    );
    expect(results).toMatchObject([{ status: 'PENDING' }]);
  });

  describe('of exports', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const create = async () =>
      (await engine.invoke('create_export', { schema, user_id: 'alice' }, { caller: owner })).id;
    const statusOf = async (id: string) =>
      (await engine.store.exports.find(engine.projects.own, id))?.status;
    const done = (id: string) =>
      vi.waitFor(async () => expect(await statusOf(id)).toBe('SUCCEEDED'));

    it('forgets those that have been ready for their time, not those that wait', async () => {
      const old = await create();
      await done(old);
      engine.clock.advance(6 * dayMs);
      const young = await create();
      await done(young);
      await engine.worker.stop();
      const waiting = await create();
      engine.clock.advance(1.5 * dayMs);

      await sweep(engine.deps, kept);

      const left = await Promise.all([old, young, waiting].map(statusOf));
      expect(left).toEqual([undefined, 'SUCCEEDED', 'PENDING']);
    });

    it('counts from when an export was ready', async () => {
      const id = await create();
      await done(id);
      const completed_at = '2026-03-20T00:00:00.000Z';
      await engine.store.transaction((tables) =>
        tables.exports.update(engine.projects.own, id, { completed_at }),
      );
      engine.clock.set('2026-03-26T00:00:00.000Z');

      await sweep(engine.deps, kept);

      expect(await statusOf(id)).toBe('SUCCEEDED');
    });

    it('forgets none when they are to be kept', async () => {
      const id = await create();
      await done(id);
      engine.clock.advance(1000 * dayMs);

      await sweep(engine.deps, { ...kept, export_retention_days: 0 });

      expect(await statusOf(id)).toBe('SUCCEEDED');
    });
  });

  it('forgets answers after a day', async () => {
    const created_at = engine.clock.now();
    const answer = { id: 'a', request: 'r', status: null, headers: {}, body: '', created_at };
    await engine.store.answers.reserve(answer);
    engine.clock.advance(25 * 60 * 60 * 1000);

    await sweep(engine.deps, kept);

    expect(await engine.store.answers.reserve(answer)).toBeNull();
  });

  it('sweeps a minute after the start and then every hour, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    const log = vi.fn();
    const transaction = vi.fn(() => Promise.reject(new Error('locked')));
    const store = { ...engine.store, transaction };
    const sweeper = createSweeper({ store, clock: engine.clock, log }, kept);

    const counts: number[] = [];
    for (const ms of [59_000, 2_000, 60 * 60_000, 60 * 60_000]) {
      await vi.advanceTimersByTimeAsync(ms);
      counts.push(transaction.mock.calls.length);
    }
    await sweeper.stop();
    await vi.advanceTimersByTimeAsync(10 * 60 * 60_000);

    expect(counts).toEqual([0, 1, 2, 3]);
    expect(transaction).toHaveBeenCalledTimes(3);
    expect(log).toHaveBeenCalledWith('warn', expect.any(String), { error: 'locked' });
  });
});
