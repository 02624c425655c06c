import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/core/ports/index.ts';
import { makeChange, makeEvent, makeMemory, now } from '../storage/memory.ts';
import { makeFolder, open } from '../storage/support.ts';
import { databaseOf, inDatabase, isPostgres } from '../support/database.ts';

/** A store with something in two projects, and its database. */
async function makeTwo() {
  const folder = await makeFolder();
  const store = await open(folder);
  onTestFinished(() => store.close());
  const own = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const other = await store.ensureProject({ org_id: 'acme', project_id: 'other' }, now);
  for (const project of [own, other]) await fill(store, project);
  return { folder, store, own, other };
}

async function fill(store: Store, project: { key: number; org_id: string; project_id: string }) {
  await store.transaction(async (tx) => {
    await tx.memories.insert(project, [makeMemory({ id: `m${project.key}` })]);
    await tx.history.insert(project, [makeChange()]);
    await tx.events.insert(project, makeEvent());
  });
}

/** As the program asks, with a statement that names no project. */
async function count(client: pg.Client, table: string, { role = 'mneme_app', project = '' }) {
  await client.query('begin');
  try {
    await client.query(
      `select set_config('role', $1, true), set_config('mneme.project', $2, true),
        set_config('search_path', 'mneme', true)`,
      [role, project],
    );
    const { rows } = await client.query(`select count(*)::integer as count from ${table}`);
    return rows[0].count;
  } finally {
    await client.query('rollback');
  }
}

const keyed = ['memories', 'history', 'events', 'entities', 'memory_fts'];

describe.skipIf(!isPostgres)('a statement without a project', () => {
  it('sees nothing if no project is set', async () => {
    const { folder } = await makeTwo();

    await inDatabase(folder, async (client) => {
      for (const table of keyed)
        expect([table, await count(client, table, {})]).toEqual([table, 0]);
    });
  });

  it('sees the project that is set, and no other', async () => {
    const { folder, own } = await makeTwo();

    await inDatabase(folder, async (client) => {
      const project = String(own.key);
      for (const table of ['memories', 'history', 'events', 'memory_fts']) {
        expect([table, await count(client, table, { project })]).toEqual([table, 1]);
      }
    });
  });

  it('finds no words of another project', async () => {
    const { folder, own } = await makeTwo();

    await inDatabase(folder, async (client) => {
      const found = `find_positions(array['''tea''']::text[], 10) where positions <> '{}'`;
      expect(await count(client, found, {})).toBe(0);
      expect(await count(client, found, { project: String(own.key) })).toBe(1);
    });
  });

  it('cannot write into another project', async () => {
    const { folder, own, other } = await makeTwo();

    await inDatabase(folder, async (client) => {
      await client.query(`begin; set local role mneme_app; set local search_path to mneme;
        set local mneme.project to ${own.key}`);
      const changed = await client.query('update memories set memory = $1', ['taken over']);
      expect(changed.rowCount).toBe(1);
      const insert = client.query(
        `insert into documents (project_key, kind, id, value, updated_at)
          values (${other.key}, 'profile', 'ann', '{}', '')`,
      );
      await expect(insert).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback');
    });
  });
});

describe.skipIf(!isPostgres)('every table with the key of a project', () => {
  it('has it in its primary key and in what refers to it, and policies for all', async () => {
    const { folder } = await makeTwo();

    const rows = await inDatabase(folder, async (client) => {
      const tables = await client.query(
        `select relname, relrowsecurity, relforcerowsecurity or relname = 'memory_fts' as forced,
          (select conkey[1:1] @> array[attnum] or conkey @> array[attnum] from pg_constraint
            where conrelid = pg_class.oid and contype = 'p') as in_key
          from pg_class join pg_attribute on attrelid = pg_class.oid
          where attname = 'project_key' and not attisdropped and relkind in ('r', 'p')
            and not relispartition and relnamespace = 'mneme'::regnamespace
            and relname <> 'members'`,
      );
      return tables.rows;
    });

    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      expect(row).toMatchObject({ relrowsecurity: true, forced: true, in_key: true });
    }
  });
});

describe.skipIf(!isPostgres)('the role of the queue', () => {
  it('sees the work of all projects, and changes no memory', async () => {
    const { folder } = await makeTwo();

    await inDatabase(folder, async (client) => {
      expect(await count(client, 'events', { role: 'mneme_queue' })).toBe(2);
      await client.query('begin; set local role mneme_queue; set local search_path to mneme');
      const change = client.query('delete from memories');
      await expect(change).rejects.toMatchObject({ code: '42501' });
      await client.query('rollback');
    });
  });
});

describe.skipIf(!isPostgres)('a separate user', () => {
  it('needs only the rights of the two roles', async () => {
    const { folder, own } = await makeTwo();
    const { database } = await databaseOf(folder);
    const name = `mneme_user_${process.pid}`;
    await inDatabase(folder, (client) =>
      client.query(`create role ${name} login noinherit password 'secret';
        grant mneme_app, mneme_queue to ${name}`),
    );
    const url = new URL(database?.url ?? '');
    url.username = name;
    url.password = 'secret';

    const store = await open(folder, { database: { ...limits, url: url.href } });

    await store.transaction((tx) => tx.memories.insert(own, [makeMemory({ id: 'more' })]));
    expect(await store.memories.size(own, {})).toBe(2);
    await store.close();
    const direct = new pg.Client(url.href);
    await direct.connect();
    await expect(direct.query('select from mneme.memories')).rejects.toMatchObject({
      code: '42501',
    });
    await direct.end();
    await inDatabase(folder, (client) => client.query(`drop role ${name}`));
  });
});

const limits = { pool_size: 2, statement_timeout_ms: 10_000 };
