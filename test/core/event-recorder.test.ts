import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { completedEvent } from '../../src/core/history/record.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import { createEventRecorder, type EventRecorder } from '../../src/core/jobs/event-recorder.ts';
import type { Deps, Store } from '../../src/core/ports/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { isPostgres } from '../support/database.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const openSqlite = await loadSqlite();

/** Bytes that the file holds of each event of a search, in all columns. */
function bytesOfSearches(data_dir: string): number[] {
  const sqlite = openSqlite(storePath(data_dir));
  try {
    const rows = sqlite.prepare("select * from events where event_type = 'SEARCH'").all();
    return rows.map((row) =>
      Object.values(row as object).reduce<number>(
        (sum, value) => sum + Buffer.byteLength(`${value ?? ''}`),
        0,
      ),
    );
  } finally {
    sqlite.close();
  }
}

describe('reads', () => {
  let engine: Engine;
  let recorder: EventRecorder;
  let deps: Deps;

  beforeEach(async () => {
    engine = await startEngine();
    recorder = createEventRecorder(engine.store, () => {});
    deps = { ...engine.deps, recordEventLater: recorder.record };
  });
  afterEach(async () => {
    await recorder.stop();
    await engine.stop();
  });

  function call(name: 'search_memories' | 'get_memories' | 'add_memory', input: object) {
    return createInvoke(deps)(name, input, { caller: owner });
  }

  async function events(event_type?: string) {
    const { results } = await engine.invoke('list_events', { event_type }, { caller: owner });
    return results;
  }

  it.skipIf(isPostgres)(
    'take at most 300 bytes each, beside a long question or filter',
    async () => {
      const query = 'What does Alice like to drink in the morning?';
      await call('search_memories', { query, filters: { user_id: 'alice' } });
      await call('search_memories', { query, user_id: 'alice', top_k: 20, rerank: true });
      await call('search_memories', { query: query.repeat(10), user_id: 'alice' });
      await recorder.flush();

      const [first = 0, second = 0, long = 0] = bytesOfSearches(engine.data_dir);
      expect(Math.max(first, second, long - 9 * query.length)).toBeLessThanOrEqual(300);
    },
  );

  it('are recorded without what has its default', async () => {
    await call('search_memories', { query: 'tea', user_id: 'alice', top_k: 20, rerank: false });
    await recorder.flush();

    const [search] = await events('SEARCH');
    expect(search?.payload).toEqual({ query: 'tea', user_id: 'alice', top_k: 20 });
  });

  it('are recorded with what was asked, of whom, and how much was found', async () => {
    await call('add_memory', { text: 'Likes green tea', user_id: 'alice' });
    await call('search_memories', { query: 'tea', filters: { user_id: 'alice' } });
    await call('get_memories', { filters: { AND: [{ user_id: 'alice' }] } });
    await recorder.flush();

    const [list, search] = await events();

    expect(search).toMatchObject({
      event_type: 'SEARCH',
      status: 'SUCCEEDED',
      payload: { query: 'tea', filters: { user_id: 'alice' } },
      metadata: { results: 1 },
      results: [],
      latency: 0,
    });
    expect(list).toMatchObject({ event_type: 'GET_ALL', metadata: { results: 1, total: 1 } });
  });

  it('are recorded once for all pages of a list', async () => {
    await call('get_memories', { user_id: 'alice' });
    await call('get_memories', { user_id: 'alice', page: 2 });
    await recorder.flush();

    expect(await events('GET_ALL')).toHaveLength(1);
  });

  it('are emptied when their entity is deleted', async () => {
    await call('add_memory', { text: 'Likes green tea', user_id: 'alice' });
    await call('search_memories', { query: 'secret', filters: { user_id: 'alice' } });
    await recorder.flush();
    const target = { entity_type: 'user', entity_id: 'alice' };
    await engine.invoke('delete_entity', target, { caller: owner });

    expect(await events('SEARCH')).toMatchObject([{ payload: {} }]);
  });

  it('are written by themselves after a second', async () => {
    await call('search_memories', { query: 'tea', user_id: 'alice' });

    await eventually(async () => expect(await events('SEARCH')).toHaveLength(1));
  });

  it('are written in batches, none lost when the recorder stops', async () => {
    const transaction = vi.spyOn(engine.store, 'transaction');
    const event = { event_type: 'SEARCH', payload: {} } as const;
    for (let count = 0; count < 450; count += 1) {
      recorder.record(engine.projects.own, () => completedEvent(engine.deps, event));
    }
    await recorder.stop();

    const counts = await engine.store.events.countByType(engine.projects.own);
    expect(counts.SEARCH).toBe(450);
    expect(transaction).toHaveBeenCalledTimes(3);
  });

  it('that come while others are written wait for the next batch', async () => {
    const record = () => {
      const event = { event_type: 'SEARCH', payload: {} } as const;
      recorder.record(engine.projects.own, () => completedEvent(engine.deps, event));
    };
    const { transaction } = engine.store;
    const spy = vi.spyOn(engine.store, 'transaction').mockImplementation((run) => {
      record();
      return transaction(run);
    });
    record();
    await recorder.flush();
    expect(spy).toHaveBeenCalledTimes(1);
    spy.mockRestore();
    await recorder.flush();

    const counts = await engine.store.events.countByType(engine.projects.own);
    expect(counts.SEARCH).toBe(2);
  });

  it('neither wait nor fail when they can not be recorded', async () => {
    const log = vi.fn();
    const away: Pick<Store, 'transaction'> = {
      transaction: () => Promise.reject(new Error('the disk is full')),
    };
    const failing = createEventRecorder(away, log);
    deps = { ...engine.deps, recordEventLater: failing.record };

    const { results } = (await call('search_memories', { query: 'tea', user_id: 'bob' })) as {
      results: unknown[];
    };
    await failing.stop();

    expect(results).toEqual([]);
    expect(log).toHaveBeenCalledWith('warn', 'read events could not be recorded', {
      events: 1,
      error: 'the disk is full',
    });
  });
});
