import { expect, it, onTestFinished } from 'vitest';
import { later, makeChange, makeMemory, now } from './memory.ts';
import { takeBackToSchema10 } from './schema-10.ts';
import { firstPage, makeFolder, ofUser, open, select } from './support.ts';

it('the history of an older store becomes versions', async () => {
  const folder = await makeFolder();
  const before = await open(folder);
  const project = await before.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const change = (event: 'ADD' | 'UPDATE' | 'DELETE', seconds: number, more: object) =>
    makeChange({ event, created_at: now, updated_at: later(seconds), user_id: 'ann', ...more });
  await before.transaction(async (tx) => {
    const memory = { id: 'changed', user_id: 'ann', memory: 'likes tea', updated_at: later(2) };
    await tx.memories.insert(project, [makeMemory(memory)]);
    await tx.history.insert(project, [
      change('ADD', 0, { memory_id: 'changed', new_memory: 'likes milk' }),
      change('ADD', 1, { memory_id: 'gone', new_memory: 'owns a cat' }),
      change('UPDATE', 2, {
        ...{ memory_id: 'changed', old_memory: 'likes milk', new_memory: 'likes tea' },
      }),
      change('DELETE', 3, { memory_id: 'gone', old_memory: 'owns a cat', new_memory: null }),
    ]);
  });
  await before.close();
  await takeBackToSchema10(folder);

  const store = await open(folder);
  onTestFinished(() => store.close());

  const knownAt = async (seconds: number) => {
    const at = { as_of: later(seconds), valid_at: null, ...firstPage };
    const { results, total } = await store.versions.list(project, select(ofUser('ann')), at);
    expect(total).toBe(results.length);
    return results.map(({ memory }) => memory).toSorted();
  };
  expect(await knownAt(-1)).toEqual([]);
  expect(await knownAt(0)).toEqual(['likes milk']);
  expect(await knownAt(1)).toEqual(['likes milk', 'owns a cat']);
  expect(await knownAt(2)).toEqual(['likes tea', 'owns a cat']);
  expect(await knownAt(3)).toEqual(['likes tea']);
});

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
