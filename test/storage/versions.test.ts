import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { isPostgres } from '../support/database.ts';
import { later, makeMemory, now } from './memory.ts';
import { firstPage, makeFolder, ofUser, open, select } from './support.ts';

const openSqlite = await loadSqlite();

it('versions that ended long ago are deleted in batches, the others stay', async () => {
  const store = await open(await makeFolder());
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await store.transaction(async (tx) => {
    await tx.memories.insert(project, [makeMemory({ id: 'm', updated_at: now })]);
    for (const seconds of [1, 2, 3]) {
      await tx.memories.update(project, 'm', { pinned: true, updated_at: later(seconds) });
    }
  });
  const prune = () => store.transaction((tx) => tx.versions.deleteEndedBefore(later(3), 1));

  expect([await prune(), await prune(), await prune()]).toEqual([1, 1, 0]);
  const versions = await store.versions.listVersions(project, ['m']);
  expect(versions.map((one) => [one.recorded_from, one.recorded_until])).toEqual([
    [later(2), later(3)],
    [later(3), null],
  ]);
});

describe('texts of versions', () => {
  const said = 'Drinks jasmine tea in the afternoon';
  const terms = { terms: 'drink jasmin tea afternoon', speaker_terms: 'ann' };

  async function fill(store: Store) {
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const update = (seconds: number, patch: object) =>
      store.transaction((tx) =>
        tx.memories.update(project, 'm', { ...patch, updated_at: later(seconds) }),
      );
    const memory = makeMemory({ id: 'm', user_id: 'ann', memory: said, ...terms, updated_at: now });
    await store.transaction((tx) => tx.memories.insert(project, [memory]));
    await update(1, { pinned: true });
    await update(2, { metadata: { seen: 1 } });
    return { project, update };
  }

  const textsOf = async (store: Store, project: ProjectRef) =>
    (await store.versions.listVersions(project, ['m'])).map(({ memory }) => memory.memory);

  it.skipIf(isPostgres)('are in the file once, until a change gives another text', async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    const { project, update } = await fill(store);
    const held = () => {
      const file = openSqlite(storePath(folder));
      const rows = file.prepare('select memory, terms from memory_versions order by key').all();
      file.close();
      return rows;
    };
    expect(held()).toEqual([
      { memory: '', terms: '' },
      { memory: '', terms: '' },
    ]);
    await update(3, { memory: 'Drinks coffee', terms: 'drink coffee', said: null });
    expect(held().at(-1)).toEqual({ memory: said, terms: terms.terms });
    expect(await textsOf(store, project)).toEqual([said, said, said, 'Drinks coffee']);
    await store.close();
  });

  it('are read as they were, filtered by, and searched at a time', async () => {
    const store = await open(await makeFolder());
    onTestFinished(() => store.close());
    const { project, update } = await fill(store);
    await update(3, { memory: 'Drinks coffee', terms: 'drink coffee', said: null });
    await update(4, { pinned: false });

    const about = (text: string) =>
      select({
        all: [ofUser('ann'), { field: 'text', path: [], operator: 'icontains', value: text }],
      });
    const listed = async (text: string, seconds: number) => {
      const at = { as_of: later(seconds), valid_at: null, ...firstPage };
      const { results } = await store.versions.list(project, about(text), at);
      return results.map(({ memory }) => memory);
    };
    expect(await listed('jasmine', 0)).toEqual([said]);
    expect(await listed('jasmine', 1)).toEqual([said]);
    expect(await listed('jasmine', 3)).toEqual([]);
    expect(await listed('coffee', 3)).toEqual(['Drinks coffee']);
    const at = { as_of: later(1), valid_at: null, limit: 10 };
    const found = await store.versions.listCandidates(project, select(ofUser('ann')), at);
    expect(found?.changed).toMatchObject([{ memory: said, ...terms }]);
  });

  it('stay with the versions of a memory that is deleted', async () => {
    const store = await open(await makeFolder());
    onTestFinished(() => store.close());
    const { project } = await fill(store);
    const change = { at: later(3), event_id: null };
    await store.transaction((tx) => tx.memories.delete(project, ['m'], change));
    expect(await textsOf(store, project)).toEqual([said, said, said]);
  });

  it('stay the same when versions of another store come in between', async () => {
    const store = await open(await makeFolder());
    onTestFinished(() => store.close());
    const { project } = await fill(store);
    const other = makeMemory({ id: 'm', user_id: 'ann', memory: 'Drinks milk', updated_at: now });
    const times = { recorded_from: later(-2), recorded_until: later(-1) };
    const superseded = { superseded_at: null, superseded_in_part: false };
    const version = { ...other, ...times, ...superseded, recorded_by: null, ended_by: null };
    await store.transaction((tx) => tx.versions.insert(project, [version]));
    expect((await textsOf(store, project)).toSorted()).toEqual(
      [said, said, said, 'Drinks milk'].toSorted(),
    );
  });
});

it('thousands of versions of a memory are read in turns with others', async () => {
  const store = await open(await makeFolder());
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const count = 6000;
  await store.transaction(async (tx) => {
    const memory = makeMemory({ id: 'm', updated_at: now });
    await tx.memories.insert(project, [memory]);
    const versions = Array.from({ length: count }, (_, at) => ({
      ...memory,
      recorded_from: later(at),
      recorded_until: later(at + 1),
      recorded_by: null,
      ended_by: null,
      superseded_at: null,
      superseded_in_part: false,
    }));
    await tx.versions.insert(project, versions);
  });
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);

  const read = await store.versions.listVersions(project, ['m']);
  clearInterval(others);

  expect(read.map((one) => one.recorded_until)).toEqual([
    ...Array.from({ length: count }, (_, at) => later(1 + at)),
    null,
  ]);
  expect(turns).toBeGreaterThan(2);
});
