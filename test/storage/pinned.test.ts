import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import type { ProjectRef } from '../../src/core/ports/index.ts';
import { createPostgresSession } from '../../src/storage/postgres/connection/session.ts';
import { postgresFilterDialect } from '../../src/storage/postgres/filter.ts';
import type { FilterDialect } from '../../src/storage/sql/dialect.ts';
import { selectionSql } from '../../src/storage/sql/filter-sql.ts';
import { sqliteFilterDialect } from '../../src/storage/sqlite/filter.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';
import { later, makeMemory, now } from './memory.ts';
import { compare, idsOf, insert, makeFolder, ofUser, open, select } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 2_000, log: () => {} } as const;
const isPinned = compare('pinned', 'eq', true);
const isInstruction = compare('type', 'eq', 'instruction');
const isNotUnpinned = compare('pinned', 'ne', false);
const shown = { latest_only: true, not_expired_on: '2026-03-14', status: 'active' } as const;

/** A store with 2,000 memories of two users and an agent, of which some are pinned, others instructions. */
async function makePlace() {
  const folder = await makeFolder();
  const store = await open(folder);
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const memories = Array.from({ length: 2_000 }, (_, index) =>
    makeMemory({
      id: `m${index}`,
      user_id: index % 2 === 0 ? 'ann' : 'bob',
      agent_id: 'guide',
      created_at: later(index),
      pinned: index % 100 === 0 || index % 100 === 51,
      type: index % 200 === 10 ? 'instruction' : 'fact',
    }),
  );
  await insert(store, project, ...memories);
  return { folder, store, project };
}

describe('pinned memories', () => {
  it('are listed by user or agent, oldest or newest first, with a limit', async () => {
    const { store, project } = await makePlace();
    const list = async (filter: Filter, limit = 3) =>
      idsOf(await store.memories.listOldest(project, select(filter, shown), limit));

    expect(await list({ all: [ofUser('ann'), isPinned] })).toEqual(['m0', 'm100', 'm200']);
    expect(await list({ all: [ofUser('bob'), isNotUnpinned] })).toEqual(['m51', 'm151', 'm251']);
    expect(await list({ all: [compare('agent_id', 'eq', 'guide'), isPinned] })).toEqual([
      'm0',
      'm51',
      'm100',
    ]);
    const page = { page: 1, page_size: 2 };
    const newest = await store.memories.list(project, select(isPinned, shown), page);
    expect(idsOf(newest.results)).toEqual(['m1951', 'm1900']);
    expect(newest.total).toBe(40);
  });

  it.each([
    ['of the project', isPinned],
    ['not unpinned', isNotUnpinned],
    ['of a user', { all: [ofUser('ann'), isPinned] }],
    ['of an agent', { all: [compare('agent_id', 'eq', 'guide'), isPinned] }],
    [
      'of a user with an agent',
      { all: [ofUser('ann'), compare('agent_id', 'eq', 'guide'), isPinned] },
    ],
  ])('%s are found by their own index', async (_, filter) => {
    const { folder, project } = await makePlace();

    const plan = await planOf(folder, project, filter);

    expect(plan).toMatch(indexUse);
  });

  it('pay for no index unless they are pinned: others are found as before', async () => {
    const { folder, project } = await makePlace();

    const plan = await planOf(folder, project, {
      all: [ofUser('ann'), compare('pinned', 'eq', false)],
    });

    expect(plan).not.toMatch(indexUse);
  });
});

describe('standing instructions', () => {
  it.each([
    ['of the project', isInstruction],
    ['of a user', { all: [ofUser('ann'), isInstruction] }],
    ['of an agent', { all: [compare('agent_id', 'eq', 'guide'), isInstruction] }],
  ])('%s are found by their own index', async (_, filter) => {
    const { folder, store, project } = await makePlace();

    const found = await store.memories.listOldest(project, select(filter, shown), 2);
    const plan = await planOf(folder, project, filter);

    expect(idsOf(found)).toEqual(['m10', 'm210']);
    expect(plan).toMatch(indexUse);
  });
});

/** PostgreSQL names the indexes of partitions after their columns. */
const indexUse = /memories_(pinned|instructions)|(pinned|type)_(user_id_)?created_at/;

/** How the engine would read the newest of the memories. */
async function planOf(folder: string, project: ProjectRef, filter: Filter): Promise<string> {
  const query = (dialect: FilterDialect) => sql`select * from memories
    where project_key = ${project.key} and ${selectionSql(select(filter, shown), dialect)}
    order by created_at desc, position desc limit 20`;
  if (!isPostgres) {
    const { reader, close } = await openSqlite({ ...quiet, path: storePath(folder) });
    onTestFinished(close);
    const explained = sql<{ detail: string }>`explain query plan ${query(sqliteFilterDialect)}`;
    return (await explained.execute(reader.db)).rows.map(({ detail }) => detail).join('\n');
  }
  return inDatabase(folder, async (client) => {
    await client.query('analyze mneme.memories; set search_path to mneme, public');
    const explained = sql<{ 'QUERY PLAN': string }>`explain ${query(postgresFilterDialect)}`;
    const { rows } = await explained.execute(createPostgresSession(client).db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
