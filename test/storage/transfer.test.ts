import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { checkIntegrity } from '../../src/storage/store.ts';
import { transferTables } from '../../src/storage/transfer/tables.ts';
import type { TransferProgress } from '../../src/storage/transfer/transfer.ts';
import { later, makeMemory } from './memory.ts';
import { insert, makeFolder } from './support.ts';
import { moveKilled } from './transfer-killed.ts';
import { answersOf, bytesIn, makeFile, move, openFile } from './transfer-support.ts';

const openSqlite = await loadSqlite();

/** Made from what other tables hold. */
const derived = /^(sqlite_sequence|memory_fts.*)$/;

async function query(path: string, sql: string): Promise<Record<string, unknown>[]> {
  const sqlite = openSqlite(path);
  try {
    return sqlite.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    sqlite.close();
  }
}

/** As another process does, while the move has its turn. */
function write(path: string, statements: string): void {
  const sqlite = openSqlite(path);
  sqlite.exec(statements);
  sqlite.close();
}

async function makeTwo(many?: number) {
  const folder = await makeFolder();
  const other = await makeFolder();
  const path = await makeFile(folder, many);
  return { folder, other, from: { path }, to: { path: join(other, 'mneme.db') } };
}

describe('a store that is moved to another file', () => {
  it('has every table, with equal counts and hashes, and gives the same results', async () => {
    const { folder, other, from, to } = await makeTwo(700);
    const before = await readAll(folder);

    const report = await move(from, to);

    const after = await readAll(other);
    expect(after).toEqual(before);
    expect(report.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(report.tables.find(({ table }) => table === 'memories')?.rows).toBe(702);
    expect(report.projects.map(({ project_id }) => project_id)).toContain('own');
    expect(await checkIntegrity({ data_dir: other })).toEqual([]);
  });

  it('leaves out no table of the schema', async () => {
    const { from } = await makeTwo();

    const tables = await query(from.path, `select name from sqlite_schema where type = 'table'`);

    const names = tables.map(({ name }) => String(name)).filter((name) => !derived.test(name));
    expect(transferTables.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it('leaves the source file unchanged, byte by byte', async () => {
    const { folder, from, to } = await makeTwo();
    const before = bytesIn(folder)['mneme.db'];

    await move(from, to);

    expect(bytesIn(folder)['mneme.db']).toBe(before);
  });

  it('never assigns a number again', async () => {
    const { other, from, to } = await makeTwo();
    const counters = "select name, seq from sqlite_sequence where name not like 'vector%'";
    await move(from, to);

    const there = await query(to.path, `${counters} order by name`);
    expect(there).toEqual(await query(from.path, `${counters} order by name`));
    const store = await openFile(other);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, later(1));
    await insert(store, project, makeMemory({ id: 'new', terms: 'new' }));
    const found = await store.memories.find(project, 'new');
    await store.close();
    expect(found).toMatchObject({ id: 'new', position: 24 });
  });
});

describe('a move', () => {
  it('resumes however often it is killed, without duplicate rows', {
    timeout: 120_000,
  }, async () => {
    const { folder, other, from, to } = await makeTwo();

    const killed = await moveKilled(from, to);

    expect(killed).toBeGreaterThan(3);
    expect(await readAll(other)).toEqual(await readAll(folder));
  });

  it.each([1, 2, 7, 16, 23, 40])('that was stopped after %i batches resumes', async (stopAt) => {
    const { folder, other, from, to } = await makeTwo();
    let batches = 0;
    const stop = () => {
      batches += 1;
      if (batches === stopAt) throw new Error('stopped');
    };
    await expect(move(from, to, { onProgress: stop })).rejects.toThrow('stopped');
    expect(existsSync(to.path)).toBe(false);
    await expect(move(from, to)).rejects.toMatchObject({
      code: 'conflict',
      next: expect.stringContaining('--resume'),
    });

    await move(from, to, { resume: true });

    expect(await readAll(other)).toEqual(await readAll(folder));
  });

  it('includes what is written to the source during the move', async () => {
    const { folder, other, from, to } = await makeTwo();
    const phases = new Set<string>();
    let isChanged = false;
    const change = ({ phase, table }: TransferProgress) => {
      phases.add(phase);
      if (isChanged || table !== 'documents') return;
      isChanged = true;
      write(
        from.path,
        `update memories set metadata = '{"later":1}' where id = 'own 1';
        delete from history where position = 3;
        insert into project_languages select key, 'dutch' from projects;
        update projects set name = 'Renamed' where project_id = 'own';
        update entities set name = 'Zoe' where id = 'ann';
        delete from api_keys;`,
      );
    };

    const report = await move(from, to, { onProgress: change });

    expect(phases).toEqual(new Set(['copied', 'compared', 'renewed']));
    expect(await readAll(other)).toEqual(await readAll(folder));
    expect(report.tables).toContainEqual(expect.objectContaining({ table: 'api_keys', rows: 0 }));
  });

  it('resumes with a source that was changed since it was stopped', async () => {
    const { folder, other, from, to } = await makeTwo();
    let batches = 0;
    const stop = () => {
      batches += 1;
      if (batches === 20) throw new Error('stopped');
    };
    await expect(move(from, to, { onProgress: stop })).rejects.toThrow('stopped');
    await writeSomething(folder);

    await move(from, to, { resume: true });

    expect(await readAll(other)).toEqual(await readAll(folder));
  });

  it('says so if the source keeps changing, and resumes once it stops', async () => {
    const { folder, other, from, to } = await makeTwo();
    const inUse = await openFile(folder);
    let count = 0;
    const change = () => {
      count += 1;
      write(from.path, `update memories set hash = '${count}' where id = 'own 1'`);
    };

    const warnings: string[] = [];
    const moving = move(from, to, {
      onProgress: change,
      onWarning: (warning) => void warnings.push(warning),
    });

    await expect(moving).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/changing.*memories/),
    });
    expect(warnings).toEqual([expect.stringContaining('in use')]);
    expect(existsSync(to.path)).toBe(false);
    await inUse.close();
    await move(from, to, { resume: true });
    expect(await readAll(other)).toEqual(await readAll(folder));
  });

  it('into a target with other data is refused', async () => {
    const { from, to } = await makeTwo();
    writeFileSync(to.path, 'mine');

    await expect(move(from, to)).rejects.toMatchObject({ code: 'conflict' });
    await expect(move(from, to, { resume: true })).rejects.toThrow('exists');
  });

  it('that was begun from another store is not resumed', async () => {
    const { from, to } = await makeTwo();
    const another = await makeTwo();
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(move(from, to, { onProgress: stop })).rejects.toThrow('stopped');

    const moving = move(another.from, to, { resume: true });

    await expect(moving).rejects.toThrow('another store');
  });

  it('from a place without a store is refused, and leaves nothing behind', async () => {
    const { from, to, other } = await makeTwo();
    rmSync(from.path);
    await expect(move(from, to)).rejects.toMatchObject({ code: 'not_found' });
    writeFileSync(from.path, '');
    await expect(move(from, to)).rejects.toMatchObject({ code: 'not_found' });
    writeFileSync(from.path, 'something else entirely, long enough to have a header'.repeat(9));
    await expect(move(from, to)).rejects.toThrow('SQLite');

    expect(bytesIn(other)).toEqual({});
  });

  it('from a store of another schema is refused', async () => {
    const { from, to } = await makeTwo();
    await query(from.path, 'pragma user_version = 18');

    await expect(move(from, to)).rejects.toThrow('another version of mneme (schema 18;');

    expect(existsSync(to.path)).toBe(false);
  });

  it('to itself is refused', async () => {
    const { from } = await makeTwo();

    await expect(move(from, from)).rejects.toThrow('same');
  });
});

async function readAll(data_dir: string) {
  const store = await openFile(data_dir);
  try {
    return await answersOf(store);
  } finally {
    await store.close();
  }
}

/** Rows that come, change and go, in tables of every kind. */
async function writeSomething(folder: string): Promise<void> {
  const store = await openFile(folder);
  const own = await store.projects.find({ project_id: 'own' });
  const other = await store.projects.find({ project_id: 'other' });
  if (own === null || other === null) throw new Error('the projects are missing');
  await store.ensureProject({ org_id: 'new', project_id: 'new' }, later(3));
  await store.transaction(async (tx) => {
    await tx.memories.insert(own, [makeMemory({ id: 'later', user_id: 'zoe' })]);
    await tx.memories.delete(own, ['own 2']);
    await tx.memories.update(own, 'own 3', { memory: 'x', terms: 'x', updated_at: later(7) });
    await tx.documents.delete(own, 'profile', 'Ann');
    await tx.keys.revoke((await store.keys.list())[0]?.key_id ?? '', later(8));
    await tx.projects.delete(other);
  });
  await store.close();
}
