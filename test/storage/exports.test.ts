import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/core/ports/index.ts';
import { later, makeEvent, nobody, now } from './memory.ts';
import { makeExport } from './records.ts';
import { makeStore } from './support.ts';

async function makeExports(...records: ReturnType<typeof makeExport>[]) {
  const { store, project, other } = await makeStore();
  await store.transaction(async (tx) => {
    for (const record of records) await tx.exports.insert(project, record);
  });
  return { store, project, other };
}

describe('an export', () => {
  it('is returned as it was requested, in its project only', async () => {
    const record = makeExport({
      user_id: 'ann',
      filters: { AND: [{ user_id: 'ann' }] },
      instructions: 'short',
    });
    const { store, project, other } = await makeExports(record);

    expect(await store.exports.find(project, record.id)).toStrictEqual(record);
    expect(await store.exports.find(other, record.id)).toBeNull();
    expect(await store.exports.find(project, 'unknown')).toBeNull();
  });

  it('changes what the patch names', async () => {
    const record = makeExport();
    const { store, project, other } = await makeExports(record);
    const running = { status: 'RUNNING' } as const;
    const done = { status: 'SUCCEEDED', data: { name: 'Ann' }, completed_at: later(1) } as const;
    const update = (at: typeof project, patch: typeof running | typeof done) =>
      store.transaction((tx) => tx.exports.update(at, record.id, patch));

    await update(project, running);
    const started = await store.exports.find(project, record.id);
    await update(project, done);
    await update(other, running);

    expect(started).toStrictEqual({ ...record, ...running });
    expect(await store.exports.find(project, record.id)).toStrictEqual({ ...record, ...done });
  });
});

describe('the latest export', () => {
  it('is the newest one', async () => {
    const { store, project, other } = await makeExports(
      makeExport({ id: 'x1', created_at: later(5) }),
      makeExport({ id: 'x2', created_at: later(5) }),
      makeExport({ id: 'x3' }),
    );

    expect(await store.exports.findLatest(project, {})).toMatchObject({ id: 'x2' });
    expect(await store.exports.findLatest(other, {})).toBeNull();
  });

  it('has the requested entity ids, including null', async () => {
    const { store, project } = await makeExports(
      makeExport({ id: 'all' }),
      makeExport({ id: 'ann', user_id: 'ann' }),
      makeExport({ id: 'run', user_id: 'ann', run_id: 'r1' }),
    );
    const latest = async (ids: Partial<typeof nobody> | { user_id: string }) =>
      (await store.exports.findLatest(project, ids))?.id;

    expect(await latest({ user_id: 'ann' })).toBe('run');
    expect(await latest({ ...nobody, user_id: 'ann' })).toBe('ann');
    expect(await latest(nobody)).toBe('all');
    expect(await latest({ user_id: 'bob' })).toBeUndefined();
  });

  it('has the same filter, whatever the order of its keys', async () => {
    const filters = { AND: [{ user_id: 'ann', created_at: { gte: '2026-01-01', lt: '2027' } }] };
    const { store, project } = await makeExports(makeExport({ id: 'x1', filters }));
    const turned = { AND: [{ created_at: { lt: '2027', gte: '2026-01-01' }, user_id: 'ann' }] };

    const same = await store.exports.findLatest(project, { filters: turned });
    const different = await store.exports.findLatest(project, { filters: { AND: [] } });

    expect(same).toMatchObject({ id: 'x1', filters });
    expect(different).toBeNull();
  });
});

describe('the exports about an entity', () => {
  it('name it, or no other of its type', async () => {
    const { store, project, other } = await makeExports(
      makeExport({ id: 'all', filters: { keywords: 'tea' } }),
      makeExport({ id: 'ann', user_id: 'ann', run_id: 'r1', status: 'SUCCEEDED' }),
      makeExport({ id: 'bob', user_id: 'bob' }),
    );
    const about = async (...[type, id]: ['user' | 'run', string]) =>
      (await store.exports.listByEntity(project, type, id)).map((record) => record.id);

    expect(await about('user', 'ann')).toEqual(['all', 'ann']);
    expect(await about('run', 'r1')).toEqual(['all', 'ann', 'bob']);
    expect(await about('run', 'r2')).toEqual(['all', 'bob']);
    expect(await store.exports.listByEntity(other, 'user', 'ann')).toEqual([]);
    expect(await store.exports.listByEntity(project, 'user', 'ann')).toStrictEqual([
      { ...nobody, id: 'all', filters: { keywords: 'tea' }, status: 'PENDING' },
      { ...nobody, id: 'ann', user_id: 'ann', run_id: 'r1', filters: null, status: 'SUCCEEDED' },
    ]);
  });
});

describe('exports', () => {
  const claimFrom = (store: Store) => store.jobs.claim({ owner: 'w1', now, until: later(30) });

  it('are erased with their queued work, and nothing else is', async () => {
    const { store, project, other } = await makeExports(
      makeExport({ id: 'ann', user_id: 'ann' }),
      makeExport({ id: 'bob', user_id: 'bob' }),
    );
    const enqueue = (at: typeof project, id: string, kind: 'build_export' | 'process_event') =>
      store.transaction((tx) =>
        tx.jobs.enqueue(at, { id: `${kind} ${id}`, kind, subject_id: id, run_at: now }),
      );
    await enqueue(project, 'ann', 'build_export');
    await enqueue(project, 'bob', 'build_export');
    await enqueue(project, 'event', 'process_event');

    await store.transaction(async (tx) => {
      await tx.exports.delete(other, ['bob']);
      await tx.exports.delete(project, ['ann', 'unknown']);
      await tx.exports.delete(project, []);
    });

    expect(await store.exports.find(project, 'ann')).toBeNull();
    expect(await store.exports.find(project, 'bob')).not.toBeNull();
    expect(await claimFrom(store)).toMatchObject({ kind: 'build_export', subject_id: 'bob' });
    expect(await claimFrom(store)).toMatchObject({ kind: 'process_event', subject_id: 'event' });
    expect(await claimFrom(store)).toBeNull();
  });

  it('keep their work when events lose theirs', async () => {
    const { store, project } = await makeExports(makeExport({ id: 'x1', user_id: 'ann' }));
    const job = { id: 'j1', kind: 'build_export', subject_id: 'x1', run_at: now } as const;
    await store.transaction(async (tx) => {
      await tx.events.insert(project, makeEvent({ id: 'x1', user_id: 'ann' }));
      await tx.jobs.enqueue(project, job);
      await tx.events.settleUnfinished(project, ['another'], { updated_at: now });
    });

    expect(await claimFrom(store)).toMatchObject({ id: 'j1' });
  });

  it('are deleted if they were ready before a time, in chunks, in every project', async () => {
    const ready = { status: 'SUCCEEDED', completed_at: later(1) } as const;
    const { store, project, other } = await makeExports(
      makeExport({ id: 'x1', ...ready }),
      makeExport({ id: 'x2', status: 'FAILED', completed_at: later(2) }),
      makeExport({ id: 'late', ...ready, completed_at: later(9) }),
      makeExport({ id: 'waits' }),
    );
    await store.transaction((tx) => tx.exports.insert(other, makeExport({ id: 'x3', ...ready })));
    const forget = (limit: number) =>
      store.transaction((tx) => tx.exports.deleteSettledBefore(later(5), limit));

    expect([await forget(2), await forget(2), await forget(2)]).toEqual([2, 1, 0]);
    const left = ['x1', 'x2', 'late', 'waits'].map((id) => store.exports.find(project, id));
    expect((await Promise.all(left)).map((record) => record?.id)).toEqual([
      undefined,
      undefined,
      'late',
      'waits',
    ]);
    expect(await store.exports.find(other, 'x3')).toBeNull();
  });
});
