import { describe, expect, it } from 'vitest';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { later, makeMemory } from './memory.ts';
import { firstPage, insert, makeStore, select } from './support.ts';

const ids = ['48d765e0-0000-7000-8000-000000000001', '48d765e0-0000-7000-8000-000000000002'];

function update(store: Store, project: ProjectRef, patch: object): Promise<void> {
  return store.transaction((tx) =>
    tx.memories.update(project, 'new', { ...patch, updated_at: later(5) }),
  );
}

describe('what a memory may replace', () => {
  it('is read as it was written, alone and in lists', async () => {
    const { store, project } = await makeStore();
    const named = makeMemory({ id: 'new', may_replace: ids, created_at: later(1) });
    await insert(store, project, named, makeMemory({ id: 'old' }));

    expect(await store.memories.find(project, 'new')).toMatchObject({ may_replace: ids });
    const { results } = await store.memories.list(project, select(), firstPage);
    expect(results.map(({ may_replace }) => may_replace)).toEqual([ids, []]);
  });

  it('stays when other fields change, and versions keep what it was', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'new', may_replace: ids }));

    await update(store, project, { pinned: true });
    expect(await store.memories.find(project, 'new')).toMatchObject({ may_replace: ids });
    await update(store, project, { may_replace: ids.slice(1) });
    await update(store, project, { may_replace: [] });

    const versions = await store.versions.listVersions(project, ['new']);
    expect(versions.map(({ memory }) => memory.may_replace)).toEqual([ids, ids, ids.slice(1), []]);
  });
});
