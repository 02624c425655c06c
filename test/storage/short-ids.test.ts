import { describe, expect, it } from 'vitest';
import { makeMemory } from './memory.ts';
import { insert, makeStore } from './support.ts';

/** UUIDs that differ in their first digits and end as asked. */
const idOf = (number: number, end: string) =>
  `${String(number).padStart(8, '0')}-0000-7000-8000-0000${end}`;

describe('findByShortIds', () => {
  it('returns the full ids of those that exist', async () => {
    const { store, project } = await makeStore();
    const ids = Array.from({ length: 1000 }, (_, at) => idOf(at, at.toString(16).padStart(8, '0')));
    await insert(store, project, ...ids.map((id) => makeMemory({ id })));

    const short = ids.map((id) => id.slice(-8));
    const found = await store.memories.findByShortIds(project, [...short, 'ffffffff'], {});

    expect(found).toHaveLength(1000);
    expect(new Map(found.map(({ short_id, memory_ids }) => [short_id, memory_ids]))).toEqual(
      new Map(ids.map((id) => [id.slice(-8), [id]])),
    );
    expect(found.every(({ total }) => total === 1)).toBe(true);
  });

  it('describes several by the first, the last and their number', async () => {
    const { store, project } = await makeStore();
    const ids = [1, 2, 3].map((number) => idOf(number, 'abcdef12'));
    await insert(store, project, ...ids.map((id) => makeMemory({ id })));

    expect(await store.memories.findByShortIds(project, ['abcdef12'], {})).toEqual([
      { short_id: 'abcdef12', memory_ids: [ids[0], ids[2]], total: 3 },
    ]);
  });

  it('knows nothing of another project, or of other owners', async () => {
    const { store, project, other } = await makeStore();
    const end = 'abcdef12';
    const [ours, anns, theirs] = [idOf(1, end), idOf(2, end), idOf(3, end)];
    await insert(store, project, makeMemory({ id: ours, user_id: 'bob', run_id: 'r' }));
    await insert(store, project, makeMemory({ id: anns, user_id: 'ann' }));
    await insert(store, other, makeMemory({ id: theirs, user_id: 'ann' }));
    const find = async (ids: Record<string, string>) => {
      const [match] = await store.memories.findByShortIds(project, ['abcdef12'], ids);
      return match?.memory_ids;
    };

    expect(await find({})).toEqual([ours, anns]);
    expect(await find({ user_id: 'ann' })).toEqual([anns]);
    expect(await find({ user_id: 'bob', run_id: 'r' })).toEqual([ours]);
    expect(await find({ user_id: 'bob', run_id: 'x' })).toBeUndefined();
  });
});
