import { describe, expect, it } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import { memoryStatuses } from '../../src/contract/schemas/memory.ts';
import type { NewMemory, ProjectRef, Selection, Store } from '../../src/core/ports/index.ts';
import { makeMemory, nobody } from './memory.ts';
import { compare, everything, firstPage, insert, makeStore, ofUser, select } from './support.ts';

const today = '2026-03-14';
const dates = [null, '2026-03-13', today, '2026-03-15'];
const hiding: Partial<Selection>[] = [
  {},
  { latest_only: true },
  { not_expired_on: today },
  { latest_only: true, not_expired_on: today },
  { latest_only: true, not_expired_on: today, status: 'active' },
  { status: 'not_quarantined' },
  { latest_only: true, status: 'waiting' },
];
const ofAnn = ofUser('ann');
const filters: Filter[] = [
  everything,
  ofAnn,
  { all: [ofAnn] },
  { all: [ofAnn, compare('agent_id', 'eq', 'bot')] },
  { any: [ofAnn, ofUser('bob')] },
  { none: [ofAnn] },
  ofUser('nobody'),
  compare('agent_id', 'eq', 'bot'),
  compare('user_id', 'in', ['ann', 'bob']),
  compare('user_id', 'exists', null),
  compare('agent_id', 'exists', null),
  { all: [compare('user_id', 'exists', null), compare('agent_id', 'eq', 'bot')] },
];

/** Of every kind of owner some that nothing hides, and some that each reason hides. */
function makeMemories(): NewMemory[] {
  return ['ann', 'bob', null].flatMap((user_id) =>
    ['bot', null].flatMap((agent_id) =>
      [null, 'another'].flatMap((replaced_by) =>
        dates.flatMap((expiration_date) =>
          memoryStatuses.map((status) =>
            makeMemory({ ...nobody, user_id, agent_id, replaced_by, expiration_date, status }),
          ),
        ),
      ),
    ),
  );
}

describe('the total of a list', () => {
  it.each(hiding)('is the number of memories on its pages, hiding %j', async (parts) => {
    const { store, project, other } = await makeStore();
    await insert(store, project, ...makeMemories(), ...makeMemories());
    await insert(store, other, ...makeMemories());

    for (const filter of filters) {
      const selection = select(filter, parts);

      expect(await totalOf(store, project, selection)).toBe(
        await countPages(store, project, selection),
      );
    }
  });

  it('follows updates and deletes', async () => {
    const { store, project } = await makeStore();
    const memories = ['m1', 'm2', 'm3', 'm4'].map((id) => makeMemory({ id }));
    await insert(store, project, ...memories);
    const expired = { expiration_date: '2026-03-13', updated_at: today };

    await store.transaction(async (tx) => {
      await tx.memories.update(project, 'm1', expired);
      await tx.memories.delete(project, ['m2']);
    });

    const visible = { latest_only: true, not_expired_on: today };
    expect(await totalOf(store, project, select(ofAnn, visible))).toBe(2);
    expect(await totalOf(store, project, select(ofAnn))).toBe(3);
  });

  it('is right if more could be hidden than are checked one by one', async () => {
    const { store, project } = await makeStore();
    const expiring = Array.from({ length: 1100 }, (_, index) =>
      makeMemory({ expiration_date: dates[1 + (index % 2)] ?? null }),
    );
    await insert(store, project, ...expiring, makeMemory());

    const visible = select(ofAnn, { latest_only: true, not_expired_on: today });
    expect(await totalOf(store, project, visible)).toBe(551);
  });
});

it('counts entities of each type as they come and go', async () => {
  const { store, project, other } = await makeStore();
  await insert(store, project, ...makeMemories());
  await insert(store, other, makeMemory({ user_id: 'zoe' }));
  const totals = async () => (await store.entities.list(project, firstPage)).totals;
  expect(await totals()).toEqual({ user: 2, agent: 1, app: 0, run: 0 });

  await store.transaction(async (tx) => {
    const ofAnnOnly = await tx.memories.listOldest(project, select(ofAnn), 1000);
    await tx.memories.delete(
      project,
      ofAnnOnly.map(({ id }) => id),
    );
    await tx.entities.delete(project, 'user', 'ann');
    const times = { created_at: today, updated_at: today };
    const named = { id: 'bob', type: 'user', name: 'Bob', metadata: {}, ...times } as const;
    await tx.archive.putEntities(project, [named, { ...named, id: 'eve' }]);
  });

  expect(await totals()).toEqual({ user: 2, agent: 1, app: 0, run: 0 });
  const ofUsers = select(compare('user_id', 'exists', null));
  expect(await totalOf(store, project, ofUsers)).toBe(await countPages(store, project, ofUsers));
});

async function totalOf(store: Store, project: ProjectRef, selection: Selection): Promise<number> {
  const { total } = await store.memories.list(project, selection, { page: 1, page_size: 1 });
  return total;
}

async function countPages(
  store: Store,
  project: ProjectRef,
  selection: Selection,
): Promise<number> {
  const taken = await store.memories.listOldest(project, selection, 1000);
  return taken.length;
}
