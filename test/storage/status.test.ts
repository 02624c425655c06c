import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/contract/schemas/filter.ts';
import { memoryStatuses } from '../../src/contract/schemas/memory.ts';
import { bm25 } from '../../src/core/bm25.ts';
import type { Selection } from '../../src/core/ports/index.ts';
import { makeMemory, nobody } from './memory.ts';
import { everything, firstPage, idsOf, insert, makeStore, ofUser, select } from './support.ts';

const ann = { ...nobody, user_id: 'ann' };

/** One memory of each status, which is its id too, with the same text and slot. */
async function makeStatuses() {
  const { store, project } = await makeStore();
  const memories = memoryStatuses.map((status) =>
    makeMemory({ id: status, status, slot: 'user:job', run_id: null }),
  );
  await insert(store, project, ...memories.toReversed());
  return { store, project };
}

const shown: [Selection['status'], string[]][] = [
  ['active', ['active']],
  ['waiting', ['candidate', 'quarantined']],
  ['not_quarantined', ['active', 'candidate']],
  ['any', ['active', 'candidate', 'quarantined']],
];

describe('the status of a memory', () => {
  it.each(shown)('%s decides what lists, searches and counts find', async (status, ids) => {
    const { store, project } = await makeStatuses();
    const query = { terms: [['tea']], bm25, limit: 9 };

    for (const filter of [everything, ofUser('ann')]) {
      const selection = select(filter, { status });
      const { results, total } = await store.memories.list(project, selection, firstPage);
      const found = await store.memories.listCandidates(project, selection, query);
      const newest = await store.memories.listNewest(project, selection, {
        from: '0000',
        to: '9999',
        limit: 9,
      });

      expect(idsOf(results).sort()).toEqual(ids);
      expect(total).toBe(ids.length);
      expect(idsOf(found).sort()).toEqual(ids);
      expect(idsOf(newest).sort()).toEqual(ids);
    }
  });

  it('is a field of filters', async () => {
    const { store, project } = await makeStatuses();
    const listed = async (wire: unknown) => {
      const { results } = await store.memories.list(project, select(parseFilter(wire)), firstPage);
      return idsOf(results).sort();
    };

    expect(await listed({ status: 'candidate' })).toEqual(['candidate']);
    expect(await listed({ status: { ne: 'candidate' } })).toEqual(['active', 'quarantined']);
    expect(await listed({ status: '*' })).toHaveLength(3);
    expect(() => parseFilter({ status: 'pending' })).toThrow(/status.*active, candidate/);
  });

  it('decides which memory a text repeats, and which fills a slot', async () => {
    const { store, project } = await makeStatuses();
    const { memories } = store;

    expect(await memories.findDuplicate(project, ann, 'likes tea')).toMatchObject({ id: 'active' });
    expect(await memories.findBySlot(project, ann, 'user:job')).toMatchObject({ id: 'active' });
    expect(idsOf(await memories.listWithSlot(project, ann, 9))).toEqual(['active']);
    await store.transaction((tx) => tx.memories.delete(project, ['active']));
    const waiting = await memories.findWaitingDuplicate(project, ann, 'likes tea');
    expect(waiting).toMatchObject({ id: 'quarantined' });
    expect(await memories.findDuplicate(project, ann, 'likes tea')).toBeNull();
    expect(await memories.findBySlot(project, ann, 'user:job')).toBeNull();
  });
});
