import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { serve } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

async function add(data_dir: string, text: string): Promise<void> {
  const { code } = await run(['call', 'add_memory', '--text', text, '--data-dir', data_dir]);
  expect(code).toBe(0);
}

async function textsIn(data_dir: string): Promise<string[]> {
  const { stdout } = await run(['call', 'get_memories', '--data-dir', data_dir]);
  return JSON.parse(stdout).results.map(({ memory }: { memory: string }) => memory);
}

/** A store of one memory, and a backup of it. */
async function makeBackup(name: string): Promise<{ data_dir: string; file: string }> {
  const data_dir = join(home, name);
  const file = join(home, `${name}.backup`);
  await add(data_dir, name);
  expect(await run(['backup', file, '--data-dir', data_dir])).toMatchObject({ code: 0 });
  return { data_dir, file };
}

function restore(file: string, data_dir: string, ...args: string[]) {
  return run(['restore', file, '--data-dir', data_dir, ...args]);
}

const key = 'k'.repeat(32);

describe('mneme backup', () => {
  it('copies a store that a server is writing to', async () => {
    const data_dir = join(home, 'busy');
    const { url } = await serve(home, { MNEME_BOOTSTRAP_KEY: key }, ['--data-dir', data_dir]);
    let acknowledged = 0;
    let ended = false;
    const writing = (async () => {
      const headers = { authorization: `Token ${key}`, 'content-type': 'application/json' };
      while (!ended) {
        const body = JSON.stringify({ text: `Fact ${acknowledged}`, user_id: 'u', infer: false });
        const answer = await fetch(`${url}/v1/memories/`, { method: 'POST', headers, body });
        expect(answer.status).toBe(200);
        acknowledged += 1;
      }
    })();
    await expect.poll(() => acknowledged).toBeGreaterThan(5);

    const before = acknowledged;
    const { code } = await run(['backup', join(home, 'busy.backup'), '--data-dir', data_dir]);
    const after = acknowledged;
    ended = true;
    await writing;

    expect(code).toBe(0);
    const copy = join(home, 'busy-copy');
    expect(await restore(join(home, 'busy.backup'), copy)).toMatchObject({ code: 0 });
    const { stdout } = await run(['doctor', '--json', '--data-dir', copy]);
    const store = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'Store');
    const memories = Number(/memories (\d+)/.exec(store.found)?.[1]);
    expect(JSON.parse(stdout).healthy).toBe(true);
    expect(memories).toBeGreaterThanOrEqual(before);
    expect(memories).toBeLessThanOrEqual(after + 1);
  });

  it('leaves a file that exists alone', async () => {
    const { data_dir, file } = await makeBackup('twice');
    const bytes = readFileSync(file);

    const { code, stderr } = await run(['backup', file, '--data-dir', data_dir]);

    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining(`error: ${file} exists`),
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it('makes no store where there is none', async () => {
    const data_dir = join(home, 'nothing');

    const { code, stderr } = await run(['backup', join(home, 'x'), '--data-dir', data_dir]);

    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^error: .*store/),
    });
    expect(existsSync(data_dir)).toBe(false);
  });
});

describe('mneme restore', () => {
  it('makes a store where there was none', async () => {
    const { file } = await makeBackup('moved');
    const data_dir = join(home, 'new', 'place');

    const { code, stdout } = await restore(file, data_dir);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `restored 1 memory from ${file}\n` });
    expect(await textsIn(data_dir)).toEqual(['moved']);
    expect(existsSync(file)).toBe(true);
  });

  it('asks before it replaces a store, and keeps that one', async () => {
    const { data_dir, file } = await makeBackup('replaced');
    await add(data_dir, 'added since');

    const asked = await restore(file, data_dir);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toContain('--yes');
    expect(await textsIn(data_dir)).toHaveLength(2);

    const { code, stdout } = await restore(file, data_dir, '--yes');
    const [, kept = ''] = /^the previous store was kept as (.+)$/m.exec(stdout) ?? [];
    expect(code).toBe(0);
    expect(await textsIn(data_dir)).toEqual(['replaced']);
    expect(await restore(kept, join(home, 'undone'))).toMatchObject({ code: 0 });
    expect(await textsIn(join(home, 'undone'))).toEqual(['added since', 'replaced']);
  });

  it('refuses while a server has the store open, even one that does nothing', async () => {
    const { data_dir, file } = await makeBackup('open');
    await add(data_dir, 'stays');
    const server = await serve(home, {}, ['--data-dir', data_dir]);

    const { code, stderr } = await restore(file, data_dir, '--yes');
    const names = readdirSync(data_dir).filter((name) => !/-(wal|shm)$/.test(name));
    await server.end();

    expect(code).toBe(1);
    expect(stderr).toContain('another process');
    expect(names).toEqual(['mneme.db']);
    expect(await textsIn(data_dir)).toEqual(['stays', 'open']);
    expect(await restore(file, data_dir, '--yes')).toMatchObject({ code: 0 });
  });

  it('takes the place of a damaged store, with the log that belongs to that', async () => {
    const { data_dir, file } = await makeBackup('damaged');
    writeFileSync(storePath(data_dir), 'no database at all'.repeat(1000));
    writeFileSync(`${storePath(data_dir)}-wal`, 'no log either');

    const { code } = await restore(file, data_dir, '--yes');

    expect(code).toBe(0);
    expect(await textsIn(data_dir)).toEqual(['damaged']);
    const names = readdirSync(data_dir).filter((name) => !name.endsWith('-shm'));
    expect(names.sort()).toEqual([
      'mneme.db',
      expect.stringMatching(/^mneme\.db\.before-restore-\d+T\d+Z$/),
      expect.stringMatching(/^mneme\.db\.before-restore-\d+T\d+Z-wal$/),
    ]);
  });

  it('takes a copy with the log of a store that was not closed', async () => {
    const { data_dir } = await makeBackup('unclosed');
    const sqlite = (await loadSqlite())(storePath(data_dir));
    sqlite.exec("update memories set memory = 'in the log'");
    const copy = join(home, 'copied.db');
    for (const suffix of ['', '-wal']) copyFileSync(storePath(data_dir) + suffix, copy + suffix);
    sqlite.close();

    expect(await restore(copy, join(home, 'from-log'))).toMatchObject({ code: 0 });
    expect(await textsIn(join(home, 'from-log'))).toEqual(['in the log']);
  });

  it('refuses what is no sound backup, and changes nothing', async () => {
    const { data_dir, file } = await makeBackup('sound');
    const before = readFileSync(storePath(data_dir));
    const sqlite = await loadSqlite();
    const made = (name: string, change: (path: string) => void) => {
      const path = join(home, `sound-${name}`);
      copyFileSync(file, path);
      change(path);
      return path;
    };
    const alter = (sql: string) => (path: string) => {
      const database = sqlite(path);
      database.exec(sql);
      database.close();
    };
    const trigger = 'create trigger copy after insert on memories begin delete from jobs; end';
    const bytes = readFileSync(file).fill(0xff, 4096 * 4, 4096 * 20);
    const cases: [string, string][] = [
      [made('empty', (path) => writeFileSync(path, '')), 'is empty'],
      [made('text', (path) => writeFileSync(path, 'x'.repeat(5000))), 'is not an SQLite database'],
      [made('newer', alter('pragma user_version = 18')), 'written by another version of mneme'],
      [made('foreign', alter('pragma application_id = 7')), 'is the database of another program'],
      [made('trigger', alter(trigger)), 'holds a trigger "copy", which mneme did not make'],
      [made('table', alter('create table notes (text)')), 'holds a table "notes"'],
      [made('view', alter('create view seen as select * from memories')), 'holds a view "seen"'],
      [made('damaged', (path) => writeFileSync(path, bytes)), 'it was not restored'],
      [storePath(data_dir), 'is the store itself'],
      [data_dir, 'is not a file'],
    ];

    for (const [path, message] of cases) {
      const { code, stderr } = await restore(path, data_dir, '--yes');
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }

    expect(await restore(join(home, 'nowhere'), data_dir)).toMatchObject({ code: 3 });
    expect(readFileSync(storePath(data_dir))).toEqual(before);
    expect(await textsIn(data_dir)).toEqual(['sound']);
    expect(readdirSync(data_dir)).toEqual(['mneme.db']);
  }, 120_000); // a process for each backup

  it('wants a file', async () => {
    const { code, stderr } = await run(['restore']);

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: FILE is missing\nusage: mneme restore FILE [--yes] [flags]\n',
    });
  });
});
