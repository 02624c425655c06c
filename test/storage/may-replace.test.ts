import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { catalogOf } from './catalog.ts';
import { later, makeMemory, now } from './memory.ts';
import { takeBackToSchema16 } from './schema-16.ts';
import { firstPage, insert, makeFolder, makeStore, open, select } from './support.ts';

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

describe('a store of schema 16', () => {
  it('is upgraded with its versions, and keeps what memories may replace from then on', async () => {
    const made = await makeFolder();
    await (await open(made)).close();
    const folder = await makeFolder();
    const before = await open(folder);
    const project = await before.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    await insert(before, project, makeMemory({ id: 'new', memory: 'likes milk' }));
    await update(before, project, { memory: 'likes tea', terms: 'like tea' });
    await before.close();
    await takeBackToSchema16(folder);
    expect(await catalogOf(folder)).not.toEqual(await catalogOf(made));

    const store = await open(folder);
    onTestFinished(() => store.close());
    await update(store, project, { may_replace: ids });

    expect(await catalogOf(folder)).toEqual(await catalogOf(made));
    const versions = await store.versions.listVersions(project, ['new']);
    expect(versions.map(({ memory }) => [memory.memory, memory.may_replace])).toEqual([
      ['likes milk', []],
      ['likes tea', []],
      ['likes tea', ids],
    ]);
  });
});
