import { describe, expect, it } from 'vitest';
import type { EventPatch, WriteResult } from '../../src/core/ports/index.ts';
import { eraseEntity } from './erase-entity.ts';
import { later, makeChange, makeEvent, makeMemory, now } from './memory.ts';
import { firstPage, idsOf, insert, makeStore } from './support.ts';

describe('entities', () => {
  it('are created with their first memory and count their memories', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ run_id: 'r1', updated_at: later(10) }));
    await insert(store, project, makeMemory({ updated_at: later(20) }), makeMemory());

    expect(await store.entities.find(project, 'user', 'ann')).toStrictEqual({
      id: 'ann',
      type: 'user',
      name: 'ann',
      metadata: {},
      total_memories: 3,
      created_at: later(10),
      updated_at: later(20),
    });
    expect(await store.entities.find(project, 'run', 'r1')).toMatchObject({ total_memories: 1 });
    expect(await store.entities.find(project, 'agent', 'ann')).toBeNull();
  });

  it('count the same after one large insert as after many small ones', async () => {
    const { store, project, other } = await makeStore();
    const memories = Array.from({ length: 450 }, (_, index) =>
      makeMemory({ user_id: `u${index % 7}`, run_id: `r${index % 210}` }),
    );
    await insert(store, project, ...memories);
    for (const memory of memories) await insert(store, other, memory);

    const page = { page: 1, page_size: 1000 };
    const large = await store.entities.list(project, page);
    const small = await store.entities.list(other, page);

    const counts = (list: typeof large) =>
      list.results.map(({ type, id, total_memories }) => `${type} ${id} ${total_memories}`).sort();
    expect(counts(large)).toEqual(counts(small));
    expect(large.totals).toEqual({ user: 7, agent: 0, app: 0, run: 210 });
  });

  it('are listed newest first, by type and by id, with totals of what matches', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ user_id: 'ann', updated_at: later(1) }));
    await insert(store, project, makeMemory({ user_id: 'bob', run_id: 'r', updated_at: later(2) }));
    await insert(store, other, makeMemory({ user_id: 'eve' }));

    const all = await store.entities.list(project, firstPage);
    const users = await store.entities.list(project, { type: 'user', page: 2, page_size: 1 });
    const named = await store.entities.list(project, { id: 'r', ...firstPage });

    expect(idsOf(all.results)).toEqual(['r', 'bob', 'ann']);
    expect(all.totals).toEqual({ user: 2, agent: 0, app: 0, run: 1 });
    expect(idsOf(users.results)).toEqual(['ann']);
    expect(users.totals).toEqual({ user: 2, agent: 0, app: 0, run: 0 });
    expect(idsOf(named.results)).toEqual(['r']);
    expect(named.totals).toEqual({ user: 0, agent: 0, app: 0, run: 1 });
  });

  it('are deleted one by one', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ user_id: 'ann', run_id: 'ann' }));
    await insert(store, other, makeMemory({ user_id: 'ann' }));

    await store.transaction((tx) => tx.entities.delete(project, 'user', 'ann'));

    expect(await store.entities.find(project, 'user', 'ann')).toBeNull();
    expect(await store.entities.find(project, 'run', 'ann')).not.toBeNull();
    expect(await store.entities.find(other, 'user', 'ann')).not.toBeNull();
  });
});

describe('history', () => {
  it('finds what a text was made from, and deletes messages of memories of its project', async () => {
    const { store, project, other } = await makeStore();
    const input = [{ role: 'user', content: 'I like tea' }];
    const added = makeChange({ memory_id: 'm1', input });
    const { run_id, created_at } = added;
    const source = { input, run_id, created_at };
    const seen = makeChange({
      memory_id: 'm1',
      event: 'UPDATE',
      old_memory: added.new_memory,
    });
    const others = [makeChange({ memory_id: 'm2', input })];
    await store.transaction(async (tx) => {
      await tx.history.insert(project, [added, seen, ...others]);
      await tx.history.insert(other, [added]);
    });

    const memory = String(added.new_memory);
    expect(await store.history.findSource(project, { id: 'm1', memory })).toStrictEqual(source);
    expect(await store.history.findSource(project, { id: 'm1', memory: 'other' })).toBeNull();
    expect(await store.history.findSource(project, { id: 'm3', memory })).toBeNull();
    await store.transaction((tx) => tx.history.deleteSources(project, ['m1', 'm3']));

    expect(await store.history.findSource(project, { id: 'm1', memory })).toBeNull();
    expect(await store.history.list(project, 'm2')).toStrictEqual(others);
    expect(await store.history.list(other, 'm1')).toStrictEqual([added]);
  });

  it('comes back as it was written, oldest first', async () => {
    const { store, project, other } = await makeStore();
    const added = makeChange({ user_id: 'ann', metadata: { a: 1 }, categories: ['food'] });
    const deleted = makeChange({ event: 'DELETE', new_memory: null, old_memory: 'likes tea' });
    await store.transaction((tx) => tx.history.insert(project, [added, deleted]));
    await store.transaction((tx) => tx.history.insert(project, [makeChange({ memory_id: 'm2' })]));

    expect(await store.history.list(project, 'm1')).toStrictEqual([added, deleted]);
    expect(await store.history.list(other, 'm1')).toEqual([]);
  });

  it('takes many entries at once, and none', async () => {
    const { store, project } = await makeStore();
    const entries = Array.from({ length: 1000 }, () => makeChange());

    await store.transaction((tx) => tx.history.insert(project, entries));
    await store.transaction((tx) => tx.history.insert(project, []));

    expect(idsOf(await store.history.list(project, 'm1'))).toEqual(idsOf(entries));
  });

  it('is erased with an entity, in its project only', async () => {
    const { store, project, other } = await makeStore();
    const anns = makeChange({ user_id: 'ann', run_id: 'r1' });
    await store.transaction(async (tx) => {
      await tx.history.insert(project, [anns, makeChange({ memory_id: 'm2', user_id: 'bob' })]);
      await tx.history.insert(other, [anns]);
    });

    await eraseEntity(store, project, { type: 'user', id: 'ann' });
    await eraseEntity(store, project, { type: 'run', id: 'bob' });

    expect(await store.history.list(project, 'm1')).toEqual([]);
    expect(await store.history.list(project, 'm2')).toHaveLength(1);
    expect(await store.history.list(other, 'm1')).toHaveLength(1);
  });
});

describe('feedback', () => {
  const rating = {
    id: 'f1',
    memory_id: 'm1',
    feedback: 'POSITIVE',
    feedback_reason: 'right',
    created_at: now,
  } as const;

  it('is replaced by a second rating, which keeps the id', async () => {
    const { store, project } = await makeStore();
    const second = { ...rating, id: 'f2', feedback: null, feedback_reason: null };

    const first = await store.transaction((tx) => tx.feedback.put(project, rating));
    const replaced = await store.transaction((tx) => tx.feedback.put(project, second));

    expect(first).toStrictEqual(rating);
    expect(replaced).toStrictEqual({ ...second, id: 'f1' });
  });

  it('is erased with its memory, in its project only', async () => {
    const { store, project, other } = await makeStore();
    const again = { ...rating, id: 'f2' };
    await store.transaction((tx) => tx.feedback.put(project, rating));
    await store.transaction((tx) => tx.feedback.put(other, rating));

    await store.transaction(async (tx) => {
      await tx.history.insert(project, [makeChange()]);
      const subject = await tx.erasure.select(project, { ids: ['m1'], owners: {} });
      await tx.erasure.erase(project, subject);
    });

    const own = await store.transaction((tx) => tx.feedback.put(project, again));
    const others = await store.transaction((tx) => tx.feedback.put(other, again));
    expect(own.id).toBe('f2');
    expect(others.id).toBe('f1');
  });
});

describe('events', () => {
  const stored: WriteResult = {
    id: 'm1',
    event: 'ADD',
    memory: 'likes tea',
    data: { memory: 'likes tea' },
    user_id: 'ann',
  };

  it('come back as they were written', async () => {
    const { store, project, other } = await makeStore();
    const event = makeEvent({
      user_id: 'ann',
      metadata: { a: 1 },
      results: [stored],
      latency: 1.5,
    });
    await store.transaction((tx) => tx.events.insert(project, event));

    expect(await store.events.find(project, event.id)).toStrictEqual(event);
    expect(await store.events.find(other, event.id)).toBeNull();
  });

  it('change as the patch says', async () => {
    const { store, project } = await makeStore();
    const event = makeEvent({ metadata: { a: 1 } });
    await store.transaction((tx) => tx.events.insert(project, event));
    const patch: EventPatch = {
      status: 'SUCCEEDED',
      results: [stored],
      started_at: later(1),
      completed_at: later(2),
      latency: 1000,
      updated_at: later(2),
    };

    await store.transaction((tx) => tx.events.update(project, event.id, patch));

    expect(await store.events.find(project, event.id)).toStrictEqual({ ...event, ...patch });
  });

  it('are listed newest first, by type and status', async () => {
    const { store, project, other } = await makeStore();
    await store.transaction(async (tx) => {
      await tx.events.insert(project, makeEvent({ id: 'e1' }));
      await tx.events.insert(project, makeEvent({ id: 'e2', status: 'FAILED' }));
      await tx.events.insert(project, makeEvent({ id: 'e3', event_type: 'DELETE' }));
      await tx.events.insert(project, makeEvent({ id: 'e0', created_at: later(-1) }));
      await tx.events.insert(other, makeEvent({ id: 'other' }));
    });
    const list = async (query: Partial<Parameters<typeof store.events.list>[1]>) => {
      const { results, total } = await store.events.list(project, { ...firstPage, ...query });
      return [idsOf(results), total];
    };

    expect(await list({})).toEqual([['e3', 'e2', 'e1', 'e0'], 4]);
    expect(await list({ page: 2, page_size: 3 })).toEqual([['e0'], 4]);
    expect(await list({ event_type: 'ADD' })).toEqual([['e2', 'e1', 'e0'], 3]);
    expect(await list({ event_type: 'ADD', status: 'FAILED' })).toEqual([['e2'], 1]);
    expect(await list({ except_event_type: 'ADD' })).toEqual([['e3'], 1]);
  });

  it('lose their content with an entity, and those in progress are settled', async () => {
    const { store, project } = await makeStore();
    const done = makeEvent({ user_id: 'ann', results: [stored], status: 'SUCCEEDED' });
    const running = makeEvent({ user_id: 'ann', run_id: 'r1', status: 'RUNNING' });
    const bobs = makeEvent({ user_id: 'bob', results: [{ ...stored, user_id: 'bob' }] });
    const settle: EventPatch = { status: 'FAILED', error: 'deleted', updated_at: later(1) };
    await store.transaction(async (tx) => {
      for (const event of [done, running, bobs]) await tx.events.insert(project, event);
    });
    await eraseEntity(store, project, { type: 'user', id: 'ann', settle });

    const empty = { payload: {}, results: [], metadata: null, error: null, user_id: null };
    expect(await store.events.find(project, done.id)).toStrictEqual({ ...done, ...empty });
    expect(await store.events.find(project, running.id)).toStrictEqual({
      ...running,
      ...empty,
      ...settle,
    });
    expect(await store.events.find(project, bobs.id)).toStrictEqual(bobs);
  });
});

it('the secret is 64 hex digits, stays, and differs between stores', async () => {
  const { store } = await makeStore();
  const { store: another } = await makeStore();

  expect(await store.secret()).toMatch(/^[0-9a-f]{64}$/);
  expect(await store.secret()).toBe(await store.secret());
  expect(await another.secret()).not.toBe(await store.secret());
});
