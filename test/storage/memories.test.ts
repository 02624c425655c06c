import { describe, expect, it } from 'vitest';
import { later, makeMemory, nobody, now } from './memory.ts';
import { everything, firstPage, idsOf, insert, makeStore, ofUser, select } from './support.ts';

describe('a memory', () => {
  it('comes back as it was stored', async () => {
    const { store, project } = await makeStore();
    const {
      terms: _,
      speaker_terms: __,
      ...memory
    } = makeMemory({
      agent_id: 'bot',
      memory: 'Ünïcode 記憶 🍵 "quoted" \'single\' \n line; drop table memories; --',
      metadata: { a: { b: [1, 'two', null, true] }, 'key "x"': 0.1, big: 1e21 },
      categories: ['food', 'Tea "green"'],
      immutable: true,
      expiration_date: '2027-01-01',
      replaced_by: 'm9',
      role: 'user',
      speaker: 'Ann',
    });

    await insert(store, project, { ...memory, terms: 'tea', speaker_terms: 'ann' });

    expect(await store.memories.find(project, memory.id)).toStrictEqual({ ...memory, position: 1 });
  });

  it('is found in its own project only', async () => {
    const { store, project, other } = await makeStore();
    const memory = makeMemory();
    await insert(store, project, memory);

    expect(await store.memories.find(other, memory.id)).toBeNull();
    expect(await store.memories.findMany(other, [memory.id])).toEqual([]);
    expect(await store.memories.findDuplicate(other, memory, memory.hash)).toBeNull();
    expect((await store.memories.list(other, select(), firstPage)).total).toBe(0);
    expect(await store.memories.listOldest(other, select(), 10)).toEqual([]);
  });

  it('may share its id with a memory of another project', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', memory: 'ours' }));
    await insert(store, other, makeMemory({ id: 'm1', memory: 'theirs' }));

    await store.transaction((tx) => tx.memories.delete(other, ['m1']));

    expect(await store.memories.find(project, 'm1')).toMatchObject({ memory: 'ours' });
    expect(await store.memories.find(other, 'm1')).toBeNull();
  });

  it('is found among many ids', async () => {
    const { store, project } = await makeStore();
    const memories = Array.from({ length: 1000 }, (_, index) => makeMemory({ id: `m${index}` }));
    await insert(store, project, ...memories);

    const found = await store.memories.findMany(project, [...idsOf(memories), 'unknown']);

    expect(idsOf(found).sort()).toEqual(idsOf(memories).sort());
  });
});

describe('findSame', () => {
  it('matches all four entity ids exactly, null included', async () => {
    const { store, project } = await makeStore();
    const ids = { ...nobody, user_id: 'ann', run_id: 'r1' };
    const memory = makeMemory({ ...ids, hash: 'h' });
    await insert(store, project, memory);

    expect(await store.memories.findDuplicate(project, ids, 'h')).toMatchObject({ id: memory.id });
    expect(await store.memories.findDuplicate(project, ids, 'x')).toBeNull();
    expect(await store.memories.findDuplicate(project, { ...ids, run_id: null }, 'h')).toBeNull();
    expect(await store.memories.findDuplicate(project, { ...ids, agent_id: 'a' }, 'h')).toBeNull();
    expect(await store.memories.findDuplicate(project, { ...ids, user_id: 'bob' }, 'h')).toBeNull();
    expect(await store.memories.findDuplicate(project, nobody, 'h')).toBeNull();
  });

  it('does not see a memory that was merged into another', async () => {
    const { store, project } = await makeStore();
    const memory = makeMemory({ replaced_by: 'm2' });
    await insert(store, project, memory);

    expect(await store.memories.findDuplicate(project, memory, memory.hash)).toBeNull();
  });
});

describe('update', () => {
  it('changes what the patch names and nothing else', async () => {
    const { store, project } = await makeStore();
    const memory = makeMemory({ id: 'm1', metadata: { a: 1 }, expiration_date: '2027-01-01' });
    await insert(store, project, memory, makeMemory({ id: 'm2' }));
    const before = await store.memories.findMany(project, ['m1', 'm2']);

    await store.transaction((tx) =>
      tx.memories.update(project, 'm1', { expiration_date: null, updated_at: later(5) }),
    );

    const changed = { expiration_date: null, updated_at: later(5) };
    expect(await store.memories.find(project, 'm1')).toEqual({ ...before[0], ...changed });
    expect(await store.memories.find(project, 'm2')).toEqual(before[1]);
  });

  it('writes every field that it may', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1' }));
    const patch = {
      memory: 'likes coffee',
      hash: 'h2',
      metadata: { b: [2] },
      categories: ['food'],
      expiration_date: '2028-01-01',
      created_at: later(-5),
      replaced_by: 'm2',
      updated_at: later(5),
    };

    await store.transaction((tx) =>
      tx.memories.update(project, 'm1', { ...patch, terms: 'likes coffee' }),
    );

    expect(await store.memories.find(project, 'm1')).toMatchObject(patch);
  });

  it('leaves another project alone', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1' }));

    await store.transaction((tx) =>
      tx.memories.update(other, 'm1', { memory: 'mine now', terms: 'x', updated_at: now }),
    );

    expect(await store.memories.find(project, 'm1')).toMatchObject({ memory: 'likes tea' });
  });
});

describe('list', () => {
  it('returns a page, newest first, and the total', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'old', created_at: later(-60) }));
    await insert(store, project, makeMemory({ id: 'tie1' }), makeMemory({ id: 'tie2' }));
    await insert(store, project, makeMemory({ id: 'new', created_at: later(60) }));
    const list = (page: number, page_size: number) =>
      store.memories.list(project, select(), { page, page_size });

    const first = await list(1, 3);
    const second = await list(2, 3);
    const exact = await list(2, 2);
    const beyond = await list(9, 3);

    expect([idsOf(first.results), first.total]).toEqual([['new', 'tie2', 'tie1'], 4]);
    expect([idsOf(second.results), second.total]).toEqual([['old'], 4]);
    expect([idsOf(exact.results), exact.total]).toEqual([['tie1', 'old'], 4]);
    expect([idsOf(beyond.results), beyond.total]).toEqual([[], 4]);
  });

  it('hides merged memories when only the latest are asked for', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', replaced_by: 'm2' }));
    await insert(store, project, makeMemory({ id: 'm2' }));

    const latest = await store.memories.list(
      project,
      select(everything, { latest_only: true }),
      firstPage,
    );
    const all = await store.memories.list(project, select(), firstPage);

    expect(idsOf(latest.results)).toEqual(['m2']);
    expect(all.total).toBe(2);
  });

  it('shows a memory on the day it expires and hides it after', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', expiration_date: '2026-03-14' }));
    await insert(store, project, makeMemory({ id: 'm2' }));
    const on = (not_expired_on: string) =>
      store.memories.list(project, select(everything, { not_expired_on }), firstPage);

    expect((await on('2026-03-14')).total).toBe(2);
    expect(idsOf((await on('2026-03-15')).results)).toEqual(['m2']);
  });
});

it('take returns the first matches, oldest first', async () => {
  const { store, project } = await makeStore();
  await insert(store, project, makeMemory({ id: 'new', created_at: later(60) }));
  await insert(store, project, makeMemory({ id: 'tie1' }), makeMemory({ id: 'tie2' }));
  await insert(store, project, makeMemory({ id: 'bob', user_id: 'bob', created_at: later(-1) }));

  const taken = await store.memories.listOldest(project, select(ofUser('ann')), 2);

  expect(idsOf(taken)).toEqual(['tie1', 'tie2']);
});

describe('size', () => {
  it('counts the project, or the smallest of the entities', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ run_id: 'r1' }), makeMemory({ run_id: 'r2' }));
    await insert(store, project, makeMemory({ user_id: 'bob', run_id: 'r1' }));

    const size = (ids: Parameters<typeof store.memories.size>[1]) =>
      store.memories.size(project, ids);

    expect(await size({})).toBe(3);
    expect(await size(nobody)).toBe(3);
    expect(await size({ user_id: 'ann' })).toBe(2);
    expect(await size({ user_id: 'ann', run_id: 'r2' })).toBe(1);
    expect(await size({ user_id: 'ann', run_id: 'unknown' })).toBe(0);
    expect(await size({ agent_id: 'ann' })).toBe(0);
    expect(await store.memories.size(other, {})).toBe(0);
  });

  it('follows deletes and ignores unknown ids', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1' }), makeMemory({ id: 'm2' }));

    await store.transaction((tx) => tx.memories.delete(project, ['m1', 'unknown']));
    await store.transaction((tx) => tx.memories.delete(project, ['m1', 'unknown']));
    await store.transaction((tx) => tx.memories.delete(project, []));

    expect(await store.memories.size(project, {})).toBe(1);
    expect(await store.memories.size(project, { user_id: 'ann' })).toBe(1);
  });
});

it('a position is never used twice', async () => {
  const { store, project } = await makeStore();
  await insert(store, project, makeMemory({ id: 'm1' }));
  await store.transaction((tx) => tx.memories.delete(project, ['m1']));
  await insert(store, project, makeMemory({ id: 'm2' }));

  expect(await store.memories.find(project, 'm2')).toMatchObject({ position: 2 });
});
