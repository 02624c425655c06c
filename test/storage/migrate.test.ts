import { expect, it, onTestFinished, vi } from 'vitest';
import { schemaVersion } from '../../src/storage/migrations/migrate.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { later, makeMemory, now } from './memory.ts';
import { compare, firstPage, idsOf, insert, makeFolder, open, select } from './support.ts';

const openSqlite = await loadSqlite();

it('a store of the first version is brought up to date, with what it holds', async () => {
  const folder = await makeFolder();
  const before = await open(folder);
  const project = await before.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await insert(before, project, makeMemory({ id: 'old', expiration_date: '2026-01-01' }));
  const job = { id: 'j1', kind: 'process_event', subject_id: 'e1', run_at: now } as const;
  await before.transaction((tx) => tx.jobs.enqueue(project, job));
  await before.close();
  const sqlite = openSqlite(storePath(folder));
  sqlite.exec(`
    drop index memories_by_expiry;
    alter table jobs drop column deferrals;
    drop index memories_by_slot;
    drop index memories_by_occurrence;
    drop index memories_by_user_occurrence;
    drop index memories_by_short_id;
    alter table memories drop column type;
    alter table memories drop column slot;
    alter table memories drop column occurred_at;
    alter table memories drop column occurred_granularity;
    alter table memories drop column said;
    drop table job_parts;
    drop table vectors;
    drop table vector_segments;
    drop table vectors_wanted;
    drop table spaces;
    drop table entity_totals;
    drop index entities_by_time;
    drop index entities_by_type;
    drop index memories_by_category;
    drop table languages;
    drop table relations;
    pragma user_version = 1;
  `);
  sqlite.close();
  const log = vi.fn();

  const store = await open(folder, { log });
  onTestFinished(() => store.close());

  const versions = { from: 1, to: schemaVersion };
  expect(log).toHaveBeenCalledWith('info', 'brought the store up to date', versions);
  expect(await store.jobs.claim({ owner: 'w', now, until: later(9) })).toMatchObject({ id: 'j1' });
  expect(idsOf(await store.memories.listExpired(project, '2026-02-01', 9))).toEqual(['old']);
  expect(await store.entities.list(project, firstPage)).toMatchObject({ totals: { user: 1 } });
  const all = select(compare('user_id', 'exists', null));
  expect(await store.memories.list(project, all, { page: 1, page_size: 1 })).toMatchObject({
    total: 1,
  });
});
