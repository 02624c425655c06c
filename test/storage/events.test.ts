import { describe, expect, it } from 'vitest';
import { later, makeEvent } from './memory.ts';
import { firstPage, idsOf, makeStore } from './support.ts';

it('an event keeps the text of a result once and tells it twice', async () => {
  const { store, project } = await makeStore();
  const memory = 'Drinks jasmine tea '.repeat(1000);
  const results = [
    { id: 'm', event: 'ADD' as const, memory, data: { memory }, user_id: 'ann' },
    {
      id: null,
      event: 'NOOP' as const,
      memory: '',
      data: { memory: '' },
      user_id: null,
      reason: 'no',
    },
  ];
  const event = makeEvent({ id: 'e', results: [] });
  await store.transaction(async (tx) => {
    await tx.events.insert(project, event);
    await tx.events.update(project, 'e', { results, updated_at: event.updated_at });
  });
  expect(await store.events.find(project, 'e')).toStrictEqual({ ...event, results });
});

it('undos are told from other events, each in its project', async () => {
  const { store, project, other } = await makeStore();
  const undo = (id: string) => makeEvent({ id, event_type: 'UNDO' });
  await store.transaction(async (tx) => {
    await tx.events.insertMany([
      { project, event: undo('one') },
      { project, event: undo('two') },
      { project, event: undo('not asked for') },
      { project, event: makeEvent({ id: 'an add' }) },
      { project: other, event: undo('theirs') },
    ]);
  });
  const asked = ['one', 'two', 'an add', 'theirs', 'none'];

  expect((await store.events.listUndos(project, asked)).toSorted()).toEqual(['one', 'two']);
  expect(await store.events.listUndos(other, asked)).toEqual(['theirs']);
  expect(await store.events.listUndos(project, [])).toEqual([]);
});

describe('many events', () => {
  it('are written in one call, each to its project', async () => {
    const { store, project, other } = await makeStore();
    const events = Array.from({ length: 120 }, (_, at) => makeEvent({ id: `e${at}` }));
    const theirs = makeEvent({ id: 'e0', event_type: 'SEARCH', metadata: { a: 1 } });

    await store.transaction((tx) =>
      tx.events.insertMany([
        ...events.map((event) => ({ project, event })),
        { project: other, event: theirs },
      ]),
    );
    await store.transaction((tx) => tx.events.insertMany([]));

    const { results, total } = await store.events.list(project, { page: 1, page_size: 200 });
    expect(total).toBe(120);
    expect(idsOf(results)).toEqual(idsOf(events).reverse());
    expect(await store.events.find(other, 'e0')).toStrictEqual(theirs);
  });

  it('with long texts are listed in turns with others', async () => {
    const { store, project } = await makeStore();
    const payload = { messages: Array.from({ length: 20_000 }, (_, at) => `${at} cups of tea`) };
    const events = Array.from({ length: 60 }, () => ({ project, event: makeEvent({ payload }) }));
    await store.transaction((tx) => tx.events.insertMany(events));
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);

    const { results } = await store.events.list(project, firstPage);
    clearInterval(others);

    expect(turns).toBeGreaterThan(1);
    expect(results.map((event) => event.payload)).toEqual(events.map(() => payload));
  });

  it('skip those of a deleted project', async () => {
    const { store, project, other } = await makeStore();
    await store.transaction((tx) => tx.projects.delete(other));

    await store.transaction((tx) =>
      tx.events.insertMany([
        { project: other, event: makeEvent() },
        { project, event: makeEvent({ id: 'kept' }) },
      ]),
    );

    expect(await store.events.find(project, 'kept')).not.toBeNull();
  });

  it('are counted by type, in their project only', async () => {
    const { store, project, other } = await makeStore();
    const types = ['ADD', 'SEARCH', 'SEARCH', 'DELETE'] as const;
    await store.transaction((tx) =>
      tx.events.insertMany(
        types.map((event_type) => ({ project, event: makeEvent({ event_type }) })),
      ),
    );

    expect(await store.events.countByType(project)).toEqual({ ADD: 1, SEARCH: 2, DELETE: 1 });
    expect(await store.events.countByType(other)).toEqual({});
  });
});

describe('old events', () => {
  it('are deleted in every project once they are settled', async () => {
    const { store, project, other } = await makeStore();
    const old = { created_at: later(-60), status: 'SUCCEEDED' } as const;
    const events = [
      { project, event: makeEvent({ ...old, id: 'succeeded' }) },
      { project: other, event: makeEvent({ ...old, id: 'failed', status: 'FAILED' }) },
      { project, event: makeEvent({ ...old, id: 'pending', status: 'PENDING' }) },
      { project, event: makeEvent({ ...old, id: 'running', status: 'RUNNING' }) },
      { project, event: makeEvent({ id: 'new', status: 'SUCCEEDED' }) },
    ];
    await store.transaction((tx) => tx.events.insertMany(events));

    const forgotten = await store.transaction((tx) => tx.events.deleteSettledBefore(later(0), 10));

    expect(forgotten).toBe(2);
    const left = await store.events.list(project, firstPage);
    expect(idsOf(left.results)).toEqual(['new', 'running', 'pending']);
    expect((await store.events.list(other, firstPage)).total).toBe(0);
  });

  it('are deleted in limited chunks', async () => {
    const { store, project } = await makeStore();
    const event = () => makeEvent({ status: 'SUCCEEDED' });
    const events = Array.from({ length: 5 }, () => ({ project, event: event() }));
    await store.transaction((tx) => tx.events.insertMany(events));
    const forget = () => store.transaction((tx) => tx.events.deleteSettledBefore(later(1), 2));

    expect([await forget(), await forget(), await forget(), await forget()]).toEqual([2, 2, 1, 0]);
  });
});
