import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase } from '../../src/app/doctor/database-checks.ts';
import { transferLock } from '../../src/storage/postgres/connection/row-security.ts';
import { transferTables } from '../../src/storage/transfer/tables.ts';
import { makeFolder, open } from '../storage/support.ts';
import { moveKilled } from '../storage/transfer-killed.ts';
import { answersOf, bytesIn, makeFile, move, openFile } from '../storage/transfer-support.ts';
import { databaseOf, hasVectors, inDatabase, isPostgres } from '../support/database.ts';

/** What is moved has vectors. */
const isMoved = isPostgres && hasVectors;

/** A filled file, an empty database, and a place for another file. */
async function makePlaces(many?: number) {
  const [folder, inside, back] = [await makeFolder(), await makeFolder(), await makeFolder()];
  const path = await makeFile(folder, many);
  const { database } = await databaseOf(inside);
  const url = database?.url ?? '';
  return {
    folder,
    inside,
    back,
    from: { path },
    to: { url },
    end: { path: join(back, 'mneme.db') },
  };
}

async function readFile(folder: string) {
  const store = await openFile(folder);
  try {
    return await answersOf(store);
  } finally {
    await store.close();
  }
}

async function readDatabase(folder: string) {
  const store = await open(folder);
  try {
    return await answersOf(store);
  } finally {
    await store.close();
  }
}

const now = '2026-03-14T09:26:53.000Z';

describe.skipIf(!isMoved)('a store that is moved to a database and back', () => {
  it('has equal counts and hashes, and gives the same results', async () => {
    const { folder, inside, back, from, to, end } = await makePlaces(700);
    const before = bytesIn(folder)['mneme.db'];

    const there = await move(from, to);
    const here = await move(to, end);

    expect(here.tables).toEqual(there.tables);
    expect(here.projects).toEqual(there.projects);
    expect(there.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(bytesIn(folder)['mneme.db']).toBe(before);
    const own = await readFile(folder);
    expect(await readDatabase(inside)).toEqual(own);
    expect(await readFile(back)).toEqual(own);
  });

  it('leaves out no table of the schema', async () => {
    const { inside, from, to } = await makePlaces();
    await move(from, to);

    const tables = await inDatabase(inside, (client) =>
      client.query<{ name: string }>(
        `select relname as name from pg_class where relnamespace = 'mneme'::regnamespace
          and relkind in ('r', 'p') and not relispartition and relname <> 'memory_fts'`,
      ),
    );

    const names = tables.rows.map(({ name }) => name);
    expect(transferTables.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('continues the number sequences, and shows nobody more than before', async () => {
    const { inside, from, to } = await makePlaces();
    await move(from, to);

    const store = await open(inside);
    onTestFinished(() => store.close());
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'third' }, now);
    const [counters] = (
      await inDatabase(inside, (client) =>
        client.query(
          `select pg_sequence_last_value('mneme.memories_position')::integer as position,
            (select count(*)::integer from pg_class where relforcerowsecurity) as forced`,
        ),
      )
    ).rows;

    expect(project.key).toBe(4);
    expect(counters.position).toBe(23);
    expect(counters.forced).toBeGreaterThan(10);
  });
});

describe.skipIf(!isMoved)('a move whose processes are killed', () => {
  it('resumes, there and back, without duplicate rows', async () => {
    const { folder, inside, back, from, to, end } = await makePlaces();

    const there = await moveKilled(from, to);
    const here = await moveKilled(to, end);

    expect(Math.min(there, here)).toBeGreaterThan(3);
    const own = await readFile(folder);
    expect(await readDatabase(inside)).toEqual(own);
    expect(await readFile(back)).toEqual(own);
  });
});

describe.skipIf(!isMoved)('a move into a database', () => {
  it.each([1, 5, 17, 40])('that was stopped after %i batches resumes', async (stopAt) => {
    const { folder, inside, from, to } = await makePlaces();
    let batches = 0;
    const stop = () => {
      batches += 1;
      if (batches === stopAt) throw new Error('stopped');
    };
    await expect(move(from, to, { onProgress: stop })).rejects.toThrow('stopped');
    await expect(open(inside)).rejects.toThrow('move');
    await expect(move(from, to)).rejects.toMatchObject({
      code: 'conflict',
      next: expect.stringContaining('--resume'),
    });

    await move(from, to, { resume: true });

    expect(await readDatabase(inside)).toEqual(await readFile(folder));
  });

  it('that was stopped is found by the doctor until it is complete', async () => {
    const { from, to } = await makePlaces();
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(move(from, to, { onProgress: stop })).rejects.toThrow('stopped');

    const stopped = await checkDatabase(to.url);
    const other = new pg.Client(to.url);
    await other.connect();
    await other.query(`select pg_advisory_lock(${transferLock})`);
    const atWork = await checkDatabase(to.url);
    await other.end();
    await move(from, to, { resume: true });
    const ended = await checkDatabase(to.url);

    expect(stopped).toContainEqual({
      name: 'Move',
      status: 'failed',
      found: expect.stringContaining('interrupted `mneme migrate`'),
      advice: expect.stringContaining(
        'mneme migrate --from sqlite:FILE (or postgres://...) --resume',
      ),
    });
    expect(atWork).toContainEqual(
      expect.objectContaining({
        name: 'Move',
        status: 'warning',
        found: 'mneme migrate is moving a store into this database',
      }),
    );
    expect(ended.map(({ name }) => name)).not.toContain('Move');
  });

  it('that holds something is refused, and changes nothing', async () => {
    const { inside, from, to } = await makePlaces();
    const store = await open(inside);
    await store.ensureProject({ org_id: 'acme', project_id: 'mine' }, now);
    await store.close();

    await expect(move(from, to)).rejects.toThrow('other data');
    await expect(move(from, to, { resume: true })).rejects.toThrow('other data');

    const again = await open(inside);
    expect(await again.projects.find({ project_id: 'mine' })).not.toBeNull();
    await again.close();
  });

  it('that is in use is refused', async () => {
    const { inside, from, to } = await makePlaces();
    const store = await open(inside);
    onTestFinished(() => store.close());
    await store.secret();

    await expect(move(from, to)).rejects.toThrow('in use');
  });

  it('that is the target of another move is refused until that ends', async () => {
    const { from, to } = await makePlaces();
    const other = new pg.Client(to.url);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query(`select pg_advisory_lock(${transferLock})`);

    await expect(move(from, to)).rejects.toThrow('another move');
  });

  it('creates what is missing, and never shows the password', async () => {
    const { inside, folder, from, to } = await makePlaces();
    await inDatabase(inside, (client) => client.query('drop schema mneme cascade'));

    const report = await move(from, to);

    expect(await readDatabase(inside)).toEqual(await readFile(folder));
    expect(report.to).not.toContain(new URL(to.url).password);
  });
});

describe.skipIf(!isMoved)('a move out of a database', () => {
  it('can target another database, with a user who only has the roles', async () => {
    const { folder, inside, from, to } = await makePlaces();
    const other = await makeFolder();
    const { database } = await databaseOf(other);
    await move(from, to);
    const reader = `mneme_mover_${process.pid}`;
    await inDatabase(inside, (client) =>
      client.query(`create role ${reader} login noinherit password 'secret';
        grant mneme_app, mneme_queue to ${reader}`),
    );
    const url = new URL(to.url);
    url.username = reader;
    url.password = 'secret';

    await move({ url: url.href }, { url: database?.url ?? '' });

    expect(await readDatabase(other)).toEqual(await readFile(folder));
    await inDatabase(inside, (client) => client.query(`drop role ${reader}`));
  });

  it('includes what is written to the source during the move', async () => {
    const { inside, back, from, to, end } = await makePlaces();
    await move(from, to);
    const client = new pg.Client(to.url);
    await client.connect();
    onTestFinished(() => client.end());
    let changed: Promise<unknown> | null = null;
    // Sent during the copy: the move waits for its own statements after it.
    const change = () => {
      changed ??= client.query(
        `update mneme.memories set memory = 'changed' where id = 'own 4';
          delete from mneme.feedback; update mneme.accounts set username = 'new'`,
      );
    };

    await move(to, end, { onProgress: change });

    await changed;
    const found = await readFile(back);
    expect(found.list.results.find(({ id }) => id === 'own 4')?.memory).toBe('changed');
    expect(await readDatabase(inside)).toEqual(found);
  });

  it('of another schema is refused', async () => {
    const { inside, to, end } = await makePlaces();
    await inDatabase(inside, (client) =>
      client.query(`update mneme.meta set value = '18' where key = 'schema'`),
    );

    await expect(move(to, end)).rejects.toThrow('another version of mneme (schema 18;');
  });

  it('that has no store, or cannot be reached, is refused', async () => {
    const { inside, to, end } = await makePlaces();
    await inDatabase(inside, (client) => client.query('drop schema mneme cascade'));
    const nowhere = new URL(to.url);
    nowhere.pathname = '/nowhere';

    await expect(move(to, end)).rejects.toMatchObject({ code: 'not_found' });
    await expect(move({ url: nowhere.href }, end)).rejects.toThrow('does not exist');
  });
});

describe.skipIf(!isMoved)('a database without pgvector', () => {
  it('accepts everything but the vectors, and says so', async () => {
    const { inside, from, to } = await makePlaces();
    // The index of the vectors stays: they cannot be created again.
    await inDatabase(inside, (client) =>
      client.query('drop table mneme.vectors; drop extension vector'),
    );
    const warnings: string[] = [];

    const report = await move(from, to, { onWarning: (text) => void warnings.push(text) });

    const tables = report.tables.map(({ table }) => table);
    expect(tables).toContain('memories');
    expect(tables).not.toContain('embedding_models');
    expect(warnings).toContainEqual(
      expect.stringMatching(/has no pgvector: vectors are not copied/),
    );
  });
});
