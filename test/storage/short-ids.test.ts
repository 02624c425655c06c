import { describe, expect, it } from 'vitest';
import { type RecordKind, recordKinds } from '../../src/contract/schemas/record-id.ts';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { makeChange, makeEvent, makeMemory, nobody, now } from './memory.ts';
import { makeExport, makeRecall, makeWebhook } from './records.ts';
import { insert, makeStore } from './support.ts';

/** UUIDs that differ in their first digits and end as asked. */
const idOf = (number: number, end = 'abcdef12') =>
  `${String(number).padStart(8, '0')}-0000-7000-8000-0000${end}`;

type Owners = { user_id?: string; run_id?: string };
type Put = (store: Store, project: ProjectRef, id: string, owners?: Owners) => Promise<unknown>;

const put: Record<RecordKind, Put> = {
  memory: (store, project, id, owners) =>
    insert(store, project, makeMemory({ ...nobody, id, ...owners })),
  history: (store, project, id, owners) => {
    const deleted = makeChange({ memory_id: id, event: 'DELETE', ...owners });
    return store.transaction((tx) => tx.history.insert(project, [deleted]));
  },
  event: (store, project, id, owners) =>
    store.transaction((tx) => tx.events.insert(project, makeEvent({ id, ...owners }))),
  export: (store, project, id, owners) =>
    store.transaction((tx) => tx.exports.insert(project, makeExport({ id, ...owners }))),
  webhook: (store, project, id) =>
    store.transaction((tx) => tx.webhooks.insert(project, makeWebhook({ webhook_id: id }))),
  recall: (store, project, id, owners) =>
    store.transaction((tx) =>
      tx.recalls.insertMany([{ project, recall: makeRecall({ id, ...owners }) }]),
    ),
  profile_job: (store, project, id) =>
    store.transaction((tx) =>
      tx.documents.put(project, { kind: 'profile_job', id, value: {}, now }),
    ),
};

async function find(store: Store, project: ProjectRef, kind: RecordKind, ids: Owners = {}) {
  return store.shortIds.find(project, kind, { short_ids: ['abcdef12'], ids });
}

const owned: readonly RecordKind[] = ['memory', 'history', 'event', 'export', 'recall'];
const ownerless: readonly RecordKind[] = ['webhook', 'profile_job'];

describe.each(recordKinds)('short ids of the kind %s', (kind) => {
  it('are those of the project', async () => {
    const { store, project, other } = await makeStore();
    await put[kind](store, project, idOf(1));
    await put[kind](store, project, idOf(2, 'abcdef13'));
    await put[kind](store, other, idOf(3));

    expect(await find(store, project, kind)).toEqual([
      { short_id: 'abcdef12', ids: [idOf(1)], total: 1 },
    ]);
  });

  it('of several records tell the first, the last and their number', async () => {
    const { store, project } = await makeStore();
    for (const number of [2, 3, 1]) await put[kind](store, project, idOf(number));

    expect(await find(store, project, kind)).toEqual([
      { short_id: 'abcdef12', ids: [idOf(1), idOf(3)], total: 3 },
    ]);
  });

  it('are not found among other kinds', async () => {
    const { store, project } = await makeStore();
    const isLiving = kind === 'memory';
    const others = recordKinds.filter((one) => one !== kind && !(isLiving && one === 'history'));
    await put[kind](store, project, idOf(1));

    for (const other of others) expect(await find(store, project, other)).toEqual([]);
  });
});

describe.each(owned)('short ids of the kind %s', (kind) => {
  it('are those of the owners', async () => {
    const { store, project } = await makeStore();
    await put[kind](store, project, idOf(1), { user_id: 'bob', run_id: 'r' });
    await put[kind](store, project, idOf(2), { user_id: 'ann' });
    const idsOf = async (ids: Owners) => (await find(store, project, kind, ids))[0]?.ids;

    expect(await idsOf({})).toEqual([idOf(1), idOf(2)]);
    expect(await idsOf({ user_id: 'ann' })).toEqual([idOf(2)]);
    expect(await idsOf({ user_id: 'bob', run_id: 'r' })).toEqual([idOf(1)]);
    expect(await idsOf({ user_id: 'bob', run_id: 'x' })).toBeUndefined();
  });
});

describe.each(ownerless)('short ids of the kind %s', (kind) => {
  it('belong to no owner', async () => {
    const { store, project } = await makeStore();
    await put[kind](store, project, idOf(1));

    expect(await find(store, project, kind, { user_id: 'ann' })).toEqual([]);
  });
});

describe('short ids', () => {
  it('are found, as many as are asked for', async () => {
    const { store, project } = await makeStore();
    const ids = Array.from({ length: 1000 }, (_, at) => idOf(at, at.toString(16).padStart(8, '0')));
    await insert(store, project, ...ids.map((id) => makeMemory({ id })));

    const short_ids = [...ids.map((id) => id.slice(-8)), 'ffffffff'];
    const found = await store.shortIds.find(project, 'memory', { short_ids, ids: {} });

    const expected = ids.map((id) => ({ short_id: id.slice(-8), ids: [id], total: 1 }));
    expect(found.toSorted((a, b) => a.short_id.localeCompare(b.short_id))).toEqual(expected);
  });

  it('of history are those of memories, and of deleted ones', async () => {
    const { store, project } = await makeStore();
    const [living, deleted] = [idOf(1), idOf(2)];
    await put.memory(store, project, living);
    const changes = [
      makeChange({ memory_id: deleted }),
      makeChange({ memory_id: deleted, event: 'DELETE' }),
    ];
    await store.transaction((tx) => tx.history.insert(project, changes));

    expect(await find(store, project, 'memory')).toMatchObject([{ ids: [living] }]);
    expect(await find(store, project, 'history')).toMatchObject([{ ids: [living, deleted] }]);
  });

  it('of a memory that came back name one memory', async () => {
    const { store, project } = await makeStore();
    await put.history(store, project, idOf(1));
    await put.memory(store, project, idOf(1));

    expect(await find(store, project, 'history')).toEqual([
      { short_id: 'abcdef12', ids: [idOf(1)], total: 1 },
    ]);
  });

  it('of jobs are not found among other documents', async () => {
    const { store, project } = await makeStore();
    const profile = { kind: 'profile', id: idOf(1), value: {}, now } as const;
    await store.transaction((tx) => tx.documents.put(project, profile));

    expect(await find(store, project, 'profile_job')).toEqual([]);
  });
});
