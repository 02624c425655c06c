import { expect, it } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';
import { now } from './memory.ts';
import { makeFolder, open } from './support.ts';

/** As versions that counted them left a row. */
async function setCounted(folder: string): Promise<void> {
  const statements = ['update entities set key = 9', `update projects set settings = '{}'`];
  if (isPostgres) {
    await inDatabase(folder, async (client) => {
      for (const statement of ['set search_path to mneme', ...statements])
        await client.query(statement);
    });
    return;
  }
  const sqlite = (await loadSqlite())(storePath(folder));
  for (const statement of statements) sqlite.exec(statement);
  sqlite.close();
}

it('numbers that an older version counted stay, and others come after them', async () => {
  const folder = await makeFolder();
  const entity = {
    type: 'user',
    name: 'n',
    metadata: {},
    created_at: now,
    updated_at: now,
  } as const;
  const first = await open(folder);
  const ref = await first.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await first.transaction((tx) => tx.entities.create(ref, { ...entity, id: 'ann' }));
  await first.close();
  await setCounted(folder);

  const store = await open(folder);
  const [ann, bob] = await store.transaction(async (tx) => [
    await tx.entities.create(ref, { ...entity, id: 'ann' }),
    await tx.entities.create(ref, { ...entity, id: 'bob' }),
  ]);
  const project = await store.projects.find({ project_id: 'own' });
  const { results } = await store.entities.list(ref, { page: 1, page_size: 9 });
  const [begin] = await store.archive.listEntities(ref, { after: 0, limit: 1 });
  const rest = { after: begin?.position ?? 0, limit: 9 } as const;
  const exported = [begin, ...(await store.archive.listEntities(ref, rest))];
  await store.close();

  expect(ann?.number).toBe(9);
  expect(bob?.number).toBeGreaterThan(9);
  expect(project).toMatchObject({ key: ref.key, number: ref.key });
  expect(results.map(({ id }) => id)).toEqual(['bob', 'ann']);
  expect(exported.map((one) => one?.id)).toEqual(['ann', 'bob']);
});
