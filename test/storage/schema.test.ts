import { expect, it, onTestFinished } from 'vitest';
import { bm25 } from '../../src/core/language/bm25.ts';
import type { Column } from '../../src/storage/sql/schema/columns.ts';
import { tableNames, tableOf } from '../../src/storage/sql/schema/tables.ts';
import { catalogOf } from './catalog.ts';
import { makeMemory, now } from './memory.ts';
import { makeAnswer } from './records.ts';
import { makeStoreOfSchema8 } from './schema-8.ts';
import { firstPage, idsOf, insert, makeFolder, open, select } from './support.ts';

it('an upgraded store has the same tables as a new one', async () => {
  const [made, upgraded] = [await makeFolder(), await makeFolder()];
  await makeStoreOfSchema8(upgraded);
  for (const folder of [made, upgraded]) await (await open(folder)).close();

  const tables = await catalogOf(made);

  expect(tables.length).toBeGreaterThan(200);
  expect(await catalogOf(upgraded)).toEqual(tables);
});

it('a column that holds text needs a rule of erasure', () => {
  // @ts-expect-error: `erasure` is missing
  const plain: Column = { type: 'text' };
  // @ts-expect-error: `erasure` is missing
  const bytes: Column = { type: 'blob', isNullable: true };
  const number: Column = { type: 'integer' };

  expect([plain, bytes, number].map(({ erasure }) => erasure)).toEqual(Array(3).fill(undefined));
});

it('a table whose rows go with a memory names the memory, by id or in an index', () => {
  const going = tableNames.filter((name) =>
    Object.values(tableOf(name).columns).some(({ erasure }) => erasure === 'memory'),
  );

  const unnamed = going.filter((name) => tableOf(name).memory === undefined);

  expect(unnamed).toEqual(['vectors', 'memory_fts']);
});

it('an upgraded store keeps no whole response, and carries no request out again', async () => {
  const folder = await makeFolder();
  await makeStoreOfSchema8(folder, [
    `insert into answers (id, request, status, headers, body, created_at)
      values ('a', 'r', 200, '{}', '{"memory":"Tea"}', '${now}'), ('b', 'r', null, '{}', '', '${now}')`,
  ]);
  const store = await open(folder);
  onTestFinished(() => store.close());

  const kept = await Promise.all(
    ['a', 'b'].map((id) => store.idempotencyKeys.reserve(makeAnswer({ id }))),
  );

  expect(kept).toMatchObject([
    { status: 409, output: '' },
    { status: null, output: '' },
  ]);
});

it('who was a member of a store that is upgraded stays one', async () => {
  const folder = await makeFolder();
  await makeStoreOfSchema8(folder);
  const store = await open(folder);
  onTestFinished(() => store.close());
  const { account_id } = await store.accounts.getFirst();

  const [place] = await store.members.listTenants(account_id);

  expect(place).toBeDefined();
  expect(await store.organizations.list(account_id)).toHaveLength(1);
});

it('an upgraded store stores, finds and deletes memories', async () => {
  const folder = await makeFolder();
  const deleted = '00000000-0000-7000-8000-0000abcdef12';
  await makeStoreOfSchema8(folder, [
    `insert into meta (key, value) values ('moved', '1'), ('analyzed_to', '7')`,
    `insert into entities (project_key, type, id, name, metadata, total_memories, created_at,
      updated_at) values (1, 'user', 'ann', 'ann', '{}', 1, '${now}', '${now}')`,
    `insert into entity_totals values (1, 'user', 1, 1)`,
    `insert into memories (project_key, id, user_id, run_id, place, said, memory, hash, metadata,
      categories, immutable, created_at, updated_at, terms, speaker_terms)
      values (1, 'old', 'ann', 'r1', 4, 'My tea!', 'Tea', 'h', '{}', '[]', 0, '${now}', '${now}',
        'tea', '')`,
    `insert into history (project_key, id, memory_id, event, input, categories, created_at,
      updated_at) values (1, 'h', '${deleted}', 'DELETE', '[]', '[]', '${now}', '${now}')`,
  ]);
  const store = await open(folder);
  onTestFinished(() => store.close());
  const project = { key: 1, org_id: 'o', project_id: 'p' };

  await insert(store, project, makeMemory({ id: 'new', run_id: 'r1', terms: 'tea' }));
  const places = [4, 5].map((run_position) => ({ run_id: 'r1', run_position }));
  const inRun = await store.memories.listByRunPlaces(project, select(), places);
  const found = await store.memories.listCandidates(project, select(), {
    terms: [['tea']],
    bm25,
    limit: 9,
  });
  await store.transaction((tx) => tx.memories.delete(project, ['new']));

  expect(idsOf(inRun).toSorted()).toEqual(['new', 'old']);
  expect(idsOf(found)).toContain('new');
  expect(await store.memories.list(project, select(), firstPage)).toMatchObject({
    total: 1,
    results: [{ id: 'old', said: 'My tea!' }],
  });
  expect(await store.analysis.listOutdated(9)).toMatchObject([{ memory: { id: 'old' } }]);
  const wanted = { short_ids: ['abcdef12'], ids: {} };
  expect(await store.shortIds.find(project, 'history', wanted)).toMatchObject([{ ids: [deleted] }]);
});
