import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { completedEvent } from '../../src/core/history/record.ts';
import { createRetentionWorker, deletePastRetention } from '../../src/core/jobs/retention.ts';
import { openStore } from '../../src/storage/store.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const dayMs = 24 * 60 * 60 * 1000;
const kept = {
  retention_days: 30,
  export_retention_days: 7,
  history_days: 0,
  expired_retention_days: 30,
  audit_retention_days: 365,
};

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

    await deletePastRetention(engine.deps, kept);

    const { total } = await engine.invoke('get_memories', { user_id: 'alice' }, { caller: owner });
    expect(await events()).toEqual(['New']);
    expect(total).toBe(2);
  });

  it('forgets more events than one transaction takes', async () => {
    const { store, deps, projects } = engine;
    const event = { event_type: 'SEARCH', payload: {} } as const;
    const many = Array.from({ length: 2_500 }, () => ({
      project: projects.own,
      event: completedEvent(deps, event),
    }));
    await store.transaction((tables) => tables.events.insertMany(many));
    engine.clock.advance(2 * dayMs);

    await deletePastRetention(deps, { ...kept, retention_days: 1 });

    expect(await store.events.countByType(projects.own)).toEqual({});
  });

  it('forgets settled deliveries, not those that wait', async () => {
    const url = 'https://hooks.example.com/';
    const { webhook_id } = await engine.invoke('create_webhook', { url }, { caller: owner });
    await engine.invoke('test_webhook', { webhook_id }, { caller: owner });
    await add('Waits');
    engine.clock.advance(31 * dayMs);

    await deletePastRetention(engine.deps, kept);

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
      eventually(async () => expect(await statusOf(id)).toBe('SUCCEEDED'));

    it('forgets those that have been ready for their time, not those that wait', async () => {
      const old = await create();
      await done(old);
      engine.clock.advance(6 * dayMs);
      const young = await create();
      await done(young);
      await engine.worker.stop();
      const waiting = await create();
      engine.clock.advance(1.5 * dayMs);

      await deletePastRetention(engine.deps, kept);

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

      await deletePastRetention(engine.deps, kept);

      expect(await statusOf(id)).toBe('SUCCEEDED');
    });

    it('forgets none when they are to be kept', async () => {
      const id = await create();
      await done(id);
      engine.clock.advance(1000 * dayMs);

      await deletePastRetention(engine.deps, { ...kept, export_retention_days: 0 });

      expect(await statusOf(id)).toBe('SUCCEEDED');
    });
  });

  describe('of expired memories', () => {
    const historyOf = async (memory_id: string) => {
      const { results } = await engine.invoke('get_history', { memory_id }, { caller: owner });
      return results.map(({ event, old_memory }) => [event, old_memory]);
    };
    const remember = async (text: string, more: Record<string, unknown> = {}) => {
      const input = { text, user_id: 'alice', ...more };
      return (await engine.invoke('add_memory', input, { caller: owner })).results[0]?.id ?? '';
    };
    const left = async () => {
      const input = { user_id: 'alice', show_expired: true };
      const { results } = await engine.invoke('get_memories', input, { caller: owner });
      return results.map(({ memory }) => memory).sort();
    };

    it('deletes those that have been hidden for their time, with a last entry of history', async () => {
      const id = await remember('Old trial', { expiration_date: '2026-03-31', immutable: true });
      await remember('Later trial', { expiration_date: '2026-04-01' });
      await remember('For ever');
      engine.clock.set('2026-05-01T12:00:00.000Z');

      await deletePastRetention(engine.deps, kept);

      const search = { query: 'trial', user_id: 'alice', show_expired: true, threshold: 0 };
      const { results } = await engine.invoke('search_memories', search, { caller: owner });
      const { store, projects } = engine;
      expect(await left()).toEqual(['For ever', 'Later trial']);
      expect(results.map(({ memory }) => memory)).toEqual(['Later trial']);
      expect(await historyOf(id)).toEqual([
        ['ADD', null],
        ['DELETE', 'Old trial'],
      ]);
      expect(await store.memories.size(projects.own, { user_id: 'alice' })).toBe(2);
    });

    it('deletes more than one transaction takes, in every project', async () => {
      const { projects, invoke } = engine;
      const messages = Array.from({ length: 450 }, (_, index) => ({
        role: 'user',
        content: `Fact ${index}`,
      }));
      for (const { org_id, project_id } of [projects.own, projects.foreign]) {
        const place = { org_id, project_id, user_id: 'alice', expiration_date: '2026-03-20' };
        await invoke('add_memory', { messages, infer: false, ...place }, { caller: owner });
      }
      engine.clock.set('2026-06-01T00:00:00.000Z');

      await deletePastRetention(engine.deps, kept);

      const sizes = [projects.own, projects.foreign].map((at) =>
        engine.store.memories.size(at, {}),
      );
      expect(await Promise.all(sizes)).toEqual([0, 0]);
    });

    it('deletes each once when two processes sweep at the same time', async () => {
      const other = await openStore({
        data_dir: engine.data_dir,
        synchronous: 'normal',
        busy_timeout_ms: 5_000,
        log: () => {},
      });
      onTestFinished(() => other.close());
      const url = 'https://hooks.example.com/';
      const { webhook_id } = await engine.invoke('create_webhook', { url }, { caller: owner });
      const ids: string[] = [];
      for (const number of Array.from({ length: 30 }, (_, index) => index)) {
        ids.push(await remember(`Trial ${number}`, { expiration_date: '2026-03-20' }));
      }
      engine.clock.set('2026-06-01T00:00:00.000Z');

      const sweepers = [engine.deps, { ...engine.deps, store: other }];
      await Promise.all(sweepers.map((deps) => deletePastRetention(deps, kept)));

      for (const id of ids) expect(await historyOf(id)).toHaveLength(2);
      const log = { webhook_id, page_size: 100 };
      const { results } = await engine.invoke('list_webhook_deliveries', log, { caller: owner });
      const deletes = results.filter(({ event_type }) => event_type === 'memory:delete');
      expect(deletes.map(({ memory_id }) => memory_id).sort()).toEqual(ids.sort());
    });

    it('deletes none when they are to be kept', async () => {
      await remember('Old trial', { expiration_date: '2026-03-20' });
      engine.clock.set('2030-01-01T00:00:00.000Z');

      await deletePastRetention(engine.deps, {
        ...kept,
        expired_retention_days: 0,
        audit_retention_days: 0,
      });

      expect(await left()).toEqual(['Old trial']);
    });

    it('ends between two pieces when the process stops', async () => {
      const messages = Array.from({ length: 450 }, (_, index) => `Fact ${index}`).map(
        (content) => ({ role: 'user', content }),
      );
      const input = { messages, infer: false, user_id: 'alice', expiration_date: '2026-03-20' };
      await engine.invoke('add_memory', input, { caller: owner });
      engine.clock.set('2026-06-01T00:00:00.000Z');

      await deletePastRetention(engine.deps, kept, AbortSignal.abort());

      expect(await engine.store.memories.size(engine.projects.own, {})).toBe(250);
    });
  });

  it('forgets answers after a day', async () => {
    const created_at = engine.clock.now();
    const answer = { id: 'a', request_hash: 'r', status: null, output: '', created_at };
    await engine.store.idempotencyKeys.reserve(answer);
    engine.clock.advance(25 * 60 * 60 * 1000);

    await deletePastRetention(engine.deps, kept);

    expect(await engine.store.idempotencyKeys.reserve(answer)).toBeNull();
  });

  it('sweeps a minute after the start and then every hour, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    const log = vi.fn();
    const transaction = vi.fn(() => Promise.reject(new Error('locked')));
    const store = { ...engine.store, transaction };
    const sweeper = createRetentionWorker({ ...engine.deps, store, log }, kept);

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
