import { describe, expect, it } from 'vitest';
import { bm25 } from '../../src/core/bm25.ts';
import type { ProjectRef, Store } from '../../src/core/ports/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { checkIntegrity, storePath } from '../../src/storage/store.ts';
import { hasVectors, inDatabase, isPostgres } from '../support/database.ts';
import { makeChange, makeEvent, makeMemory, now } from './memory.ts';
import { makeAccount, makeDelivery, makeExport, makeRecall, makeWebhook } from './records.ts';
import { everything, idsOf, makeFolder, open, select } from './support.ts';

/** Something for every table that is keyed by a project, and `many` of what there are many. */
async function embed(store: Store): Promise<void> {
  const scale = { unrelated: 0, related: 1, trust: 1 };
  const model = await store.vectors.openModel({ name: 'm', dimension: 16, scale }, now);
  const vector = Float32Array.from({ length: 16 }, () => 0.25);
  for (;;) {
    const wanted = (await store.vectors.listUnembedded(model, 1000)) ?? [];
    if (wanted.length === 0) return;
    await store.vectors.put(
      model,
      wanted.map(({ position, project, hash }) => ({ position, project, hash, vector })),
    );
  }
}

async function fill(store: Store, project: ProjectRef, many: number): Promise<void> {
  const { account_id } = await store.transaction((tx) => tx.accounts.insert(makeAccount()));
  const memories = Array.from({ length: many }, () => makeMemory({ run_id: 'r1' }));
  const webhook = makeWebhook();
  const { webhook_id } = webhook;
  const place = { org_id: project.org_id, project_key: project.key };
  const rating = { id: 'f', feedback: 'POSITIVE', feedback_reason: null, created_at: now } as const;
  const job = { id: `job of ${project.key}`, kind: 'process_event', run_at: now } as const;
  await store.transaction(async (tx) => {
    await tx.memories.insert(project, memories);
    for (const id of idsOf(memories)) {
      await tx.memories.update(project, id, { pinned: true, updated_at: now });
    }
    await tx.history.insert(
      project,
      idsOf(memories).map((memory_id) => makeChange({ memory_id })),
    );
    await tx.feedback.put(project, { ...rating, memory_id: idsOf(memories)[0] ?? '' });
    await tx.events.insertMany(memories.map(() => ({ project, event: makeEvent() })));
    await tx.jobs.enqueue(project, { ...job, subject_id: 's' });
    await tx.webhooks.insert(project, webhook);
    await tx.deliveries.insert(project, [makeDelivery({ webhook_id })]);
    await tx.exports.insert(project, makeExport());
    await tx.recalls.insertMany(memories.map(() => ({ project, recall: makeRecall() })));
    await tx.documents.put(project, { kind: 'profile', id: 'ann', value: {}, now });
    await tx.languages.add(project, ['german']);
    await tx.relations.insert(project, [relationOf(idsOf(memories)[0] ?? '')]);
    await tx.members.put(place, { account_id, role: 'READER', now });
  });
}

function relationOf(memory_id: string) {
  const [source, target] = [{ source: 'ann', source_type: 'person' }, { target: 'tea' }];
  return { ...source, ...target, target_type: 'thing', relationship: 'likes', memory_id };
}

const keyed = [
  'memories',
  'memory_versions',
  'entities',
  'entity_totals',
  'history',
  'feedback',
  'events',
  'jobs',
  'webhooks',
  'deliveries',
  'exports',
  'documents',
  'members',
  'project_languages',
  'recalls',
  'relations',
  ...(hasVectors ? ['vectors'] : []),
  ...(isPostgres ? ['memory_fts'] : []),
];

/** How many rows each table that is keyed by a project holds of this one. */
async function countRows(folder: string, { key }: ProjectRef): Promise<Record<string, number>> {
  if (isPostgres) return countInDatabase(folder, key);
  const openSqlite = await loadSqlite();
  const db = openSqlite(storePath(folder), { readOnly: true });
  const tables = db
    .prepare(
      `select name from sqlite_schema as tables where type = 'table' and exists
        (select 1 from pragma_table_info(tables.name) where name = 'project_key')`,
    )
    .all() as { name: string }[];
  const counts = tables.map(({ name }) => {
    const count = db.prepare(`select count(*) as rows from ${name} where project_key = ?`);
    const [row] = count.all(key) as [{ rows: number }];
    return [name, row.rows];
  });
  db.close();
  return Object.fromEntries(counts);
}

/** Parts have no rows of their own to begin with: they go with their job. */
async function countInDatabase(folder: string, key: number): Promise<Record<string, number>> {
  return inDatabase(folder, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns join pg_class
          on pg_class.oid = format('mneme.%I', table_name)::regclass
        where table_schema = 'mneme' and column_name = 'project_key' and not relispartition
          and table_name <> 'job_steps'`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables.rows) {
      const count = `select count(*)::integer as rows from mneme.${name} where project_key = $1`;
      counts[name] = (await client.query<{ rows: number }>(count, [key])).rows[0]?.rows ?? 0;
    }
    return counts;
  });
}

describe('a project that is deleted', () => {
  it('takes all of its rows with it and leaves those of others', async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const other = await store.ensureProject({ org_id: 'acme', project_id: 'other' }, now);
    await fill(store, project, 2500);
    await fill(store, other, 1100);
    if (hasVectors) await embed(store);
    const before = await countRows(folder, other);

    await store.transaction((tx) => tx.projects.delete(project));

    expect(await store.projects.find({ project_id: 'own' })).toBeNull();
    expect(await countRows(folder, project)).toEqual(
      Object.fromEntries(keyed.map((name) => [name, 0])),
    );
    expect(Object.keys(before).sort()).toEqual([...keyed].sort());
    expect(Object.values(before)).not.toContain(0);
    expect(await countRows(folder, other)).toEqual(before);
    const query = { terms: [['tea']], bm25, limit: 5000 };
    expect(await store.memories.listCandidates(other, select(everything), query)).toHaveLength(
      1100,
    );
    expect(await store.memories.listCandidates(project, select(everything), query)).toEqual([]);
    await store.close();
    if (!isPostgres) expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });

  it('is completely restored when the transaction fails', async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    await fill(store, project, 1200);
    const before = await countRows(folder, project);

    const failing = store.transaction(async (tx) => {
      await tx.projects.delete(project);
      throw new Error('changed my mind');
    });

    await expect(failing).rejects.toThrow('changed my mind');
    expect(await countRows(folder, project)).toEqual(before);
    await store.close();
  });

  it('lets others read during the deletion', async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    await fill(store, project, 3500);
    let reads = 0;
    const reader = setInterval(() => {
      reads += 1;
    }, 0);

    await store.transaction((tx) => tx.projects.delete(project));

    clearInterval(reader);
    expect(reads).toBeGreaterThan(2);
    await store.close();
  });

  it('never gives its key to a project that comes later', async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    const first = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    await store.transaction((tx) => tx.projects.delete(first));

    const second = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);

    expect(second.key).toBeGreaterThan(first.key);
    await store.close();
  });
});
