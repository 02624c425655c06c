import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { schemaVersion } from '../../src/storage/migrations/steps.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { checkIntegrity, openStore, storePath } from '../../src/storage/store.ts';
import { makeMemory, now } from './memory.ts';
import { firstPage, insert, makeFolder, open, select } from './support.ts';

const openSqlite = await loadSqlite();

/** Runs SQL on the store's file, past the store. */
function tamper(folder: string, ...statements: string[]): void {
  const sqlite = openSqlite(storePath(folder));
  for (const statement of statements) sqlite.exec(statement);
  sqlite.close();
}

/** Every file of the folder that holds data, with a digest of its bytes. */
function contentsOf(folder: string): Record<string, string> {
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  // The index of the log is shared memory in a file: it changes with every reader.
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

async function makeFilledStore(folder: string, count = 1): Promise<void> {
  const store = await open(folder);
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await insert(store, project, ...Array.from({ length: count }, () => makeMemory()));
  await store.close();
}

async function countOf(store: Store): Promise<number> {
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  return (await store.memories.list(project, select(), firstPage)).total;
}

/** The message of the refusal; fails when the folder opens. */
async function refusalOf(folder: string): Promise<string> {
  const error: unknown = await open(folder).then(
    (store) => store.close(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'unavailable' });
  return error instanceof ApiError ? error.message : '';
}

describe('opening', () => {
  it('makes folder and file for the owner only', async () => {
    const folder = join(await makeFolder(), 'a', 'b');

    await (await open(folder)).close();

    const modeOf = (path: string) => statSync(path).mode & 0o777;
    const isWindows = process.platform === 'win32';
    expect(existsSync(storePath(folder))).toBe(true);
    if (!isWindows) expect(modeOf(folder)).toBe(0o700);
    if (!isWindows) expect(modeOf(storePath(folder))).toBe(0o600);
  });

  it.skipIf(process.platform === 'win32')(
    'takes the files, not the folder, from others',
    async () => {
      const folder = await makeFolder();
      await makeFilledStore(folder);
      chmodSync(folder, 0o755);
      chmodSync(storePath(folder), 0o644);
      writeFileSync(join(folder, 'notes.txt'), '', { mode: 0o644 });
      const lines: unknown[] = [];

      const store = await open(folder, { log: (...line) => lines.push(line) });
      onTestFinished(() => store.close());
      await countOf(store);

      const modes = readdirSync(folder).map((name) => [
        name,
        (statSync(join(folder, name)).mode & 0o777).toString(8),
      ]);
      expect(statSync(folder).mode & 0o777).toBe(0o755);
      expect(Object.fromEntries(modes)).toEqual({
        'mneme.db': '600',
        'mneme.db-shm': '600',
        'mneme.db-wal': '600',
        'notes.txt': '644',
      });
      expect(lines).toEqual([['warn', expect.any(String), { closed: [storePath(folder)] }]]);
    },
  );

  it.skipIf(process.platform === 'win32')('takes a log that was left behind too', async () => {
    const folder = await makeFolder();
    const left = await makeFolder();
    const server = await open(folder);
    await countOf(server);
    for (const name of readdirSync(folder)) {
      writeFileSync(join(left, name), readFileSync(join(folder, name)), { mode: 0o666 });
      chmodSync(join(left, name), 0o666);
    }
    await server.close();

    const store = await open(left);
    onTestFinished(() => store.close());

    const modes = readdirSync(left).map((name) => statSync(join(left, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it.skipIf(process.platform !== 'linux')('gives up where no folder can be made', async () => {
    expect(await refusalOf('/proc/mneme/data')).toContain('data folder');
  });

  it('finds what was stored, and changes no byte for that', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder, 3);
    const before = contentsOf(folder);

    const store = await open(folder);
    const count = await countOf(store);
    await store.close();

    expect(count).toBe(3);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('leaves one file behind that is the whole store', async () => {
    const folder = await makeFolder();
    const copy = await makeFolder();
    await makeFilledStore(folder, 3);

    writeFileSync(storePath(copy), readFileSync(storePath(folder)));

    const store = await open(copy);
    onTestFinished(() => store.close());
    expect(await countOf(store)).toBe(3);
  });

  it('treats an empty file or an empty database as a new store', async () => {
    const empty = await makeFolder();
    const unused = await makeFolder();
    writeFileSync(storePath(empty), '');
    tamper(unused, 'create table t (a)', 'drop table t', 'vacuum');

    await makeFilledStore(empty);
    await makeFilledStore(unused);

    expect(await checkIntegrity({ data_dir: empty })).toEqual([]);
    expect(await checkIntegrity({ data_dir: unused })).toEqual([]);
  });

  it('works with full synchronisation', async () => {
    const folder = await makeFolder();
    const store = await openStore({
      data_dir: folder,
      synchronous: 'full',
      busy_timeout_ms: 1000,
      log: () => {},
    });
    onTestFinished(() => store.close());

    expect(await countOf(store)).toBe(0);
  });
});

describe('opening refuses and leaves untouched', () => {
  it('a store that another version wrote, and says how to carry it over', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder);
    tamper(folder, 'pragma user_version = 18');
    const before = contentsOf(folder);

    const message = await refusalOf(folder);

    expect(message).toContain(storePath(folder));
    expect(message).toContain(
      `another version of mneme (schema 18; this one has schema ${schemaVersion})`,
    );
    expect(message).toMatch(/`mneme export` .* `mneme import` .* another data folder/);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('a store that a newer version has open', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder);
    const newer = openSqlite(storePath(folder));
    onTestFinished(() => newer.close());
    newer.exec('pragma user_version = 99; create table later (a)');
    const before = readFileSync(storePath(folder));

    expect(await refusalOf(folder)).toContain('schema 99');
    expect(readFileSync(storePath(folder)).equals(before)).toBe(true);
  });

  it('the database of another program', async () => {
    const folder = await makeFolder();
    tamper(folder, 'create table notes (a)', "insert into notes values ('mine')");
    const before = contentsOf(folder);

    expect(await refusalOf(folder)).toContain('another program');
    expect(contentsOf(folder)).toEqual(before);
  });

  it('the database of another program in write-ahead mode, open or not', async () => {
    const folder = await makeFolder();
    tamper(folder, 'pragma journal_mode = wal', 'create table notes (a)');
    const before = contentsOf(folder);

    expect(await refusalOf(folder)).toContain('another program');
    expect(contentsOf(folder)).toEqual(before);

    const other = openSqlite(storePath(folder));
    onTestFinished(() => other.close());
    other.exec('create table more (a)');
    expect(await refusalOf(folder)).toContain('another program');
  });

  it('an empty database with the mark of another program', async () => {
    const folder = await makeFolder();
    tamper(folder, 'pragma application_id = 12345', 'pragma user_version = 1');
    const before = contentsOf(folder);

    expect(await refusalOf(folder)).toContain('another program');
    expect(contentsOf(folder)).toEqual(before);
  });

  it.each([
    ['text', 'These are my notes.\n'.repeat(500)],
    ['a few bytes', 'SQLite'],
    ['zeros', '\0'.repeat(8192)],
  ])('a file of %s', async (_, content) => {
    const folder = await makeFolder();
    writeFileSync(storePath(folder), content);
    const before = contentsOf(folder);

    expect(await refusalOf(folder)).toContain('SQLite');
    expect(contentsOf(folder)).toEqual(before);
  });

  it('a file in place of the folder', async () => {
    const folder = join(await makeFolder(), 'file');
    writeFileSync(folder, 'text');

    expect(await refusalOf(folder)).toContain('read');
    expect(readFileSync(folder, 'utf8')).toBe('text');
  });

  it('a folder in place of the file', async () => {
    const folder = await makeFolder();
    mkdirSync(storePath(folder));

    expect(await refusalOf(folder)).toContain(storePath(folder));
  });

  it('a folder that is read-only', async (context) => {
    const folder = await makeFolder();
    await makeFilledStore(folder);
    makeReadOnly(folder, context);
    const before = contentsOf(folder);

    expect(await refusalOf(folder)).toContain('read');
    expect(contentsOf(folder)).toEqual(before);
  });
});

describe('a damaged store', () => {
  it('that was truncated is reported as damaged', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder, 500);
    truncateSync(storePath(folder), 20 * 4096);

    const problems = await checkIntegrity({ data_dir: folder });
    const failing = open(folder).then((store) => {
      onTestFinished(() => store.close());
      return countOf(store);
    });

    expect(problems).not.toEqual([]);
    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    await expect(failing).rejects.toThrow(/damaged.*backup/);
  });

  it('that lost a page is found by the check, and the rest stays readable', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder, 500);
    const bytes = readFileSync(storePath(folder));
    bytes.fill(0xee, bytes.length - 2 * 4096, bytes.length - 4096);
    writeFileSync(storePath(folder), bytes);

    const problems = await checkIntegrity({ data_dir: folder });

    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join()).not.toContain('SQLITE_');
  });

  it('whose counter is wrong is found by the check', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder, 2);
    tamper(folder, 'update projects set total_memories = 7 where key = 1');

    expect(await checkIntegrity({ data_dir: folder })).toEqual([
      'the memory counter of 1 project is wrong',
    ]);
  });

  it('that does not exist yet has no problems', async () => {
    const folder = await makeFolder();

    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a full disk', () => {
  it('leaves no partial store', async (context) => {
    const folder = mountSmall(await makeFolder(), context);
    const filler = join(folder, 'filler');
    writeFileSync(filler, Buffer.alloc(2 * 1024 * 1024 - 8192));

    expect(await refusalOf(folder)).toMatch(/disk/);
    rmSync(filler);
    await makeFilledStore(folder);

    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });

  it('is reported; nothing is lost, and work continues once there is space', async (context) => {
    const folder = mountSmall(await makeFolder(), context);
    const store = await open(folder);
    onTestFinished(() => store.close());
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const add = () => insert(store, project, makeMemory({ memory: 'x'.repeat(20_000) }));
    let stored = 0;

    const failure: unknown = await (async () => {
      for (;;) {
        await add();
        stored += 1;
      }
    })().catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(failure instanceof ApiError && failure.message).toMatch(/disk/);
    expect(await countOf(store)).toBe(stored);
    expect(await store.memories.size(project, {})).toBe(stored);
    run('mount', '-o', 'remount,size=16m', folder);
    await add();
    expect(await countOf(store)).toBe(stored + 1);
  });
});

/** A separate file system of 2 MB; skips the test if that is not permitted. */
function mountSmall(folder: string, context: TestContext): string {
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=2m,mode=700', 'tmpfs', folder)) {
    context.skip('mounting needs Linux and the rights of root');
  }
  onTestFinished(() => {
    run('umount', '-l', folder);
  });
  return folder;
}

/** Root may write whatever the mode says, unless the file system is mounted for reading only. */
function makeReadOnly(folder: string, context: TestContext): void {
  chmodSync(folder, 0o500);
  if (process.getuid?.() !== 0) return;
  if (!run('mount', '--bind', folder, folder)) context.skip('mounting is not permitted here');
  onTestFinished(() => {
    run('umount', '-l', folder);
  });
  run('mount', '-o', 'remount,bind,ro', folder);
}

function run(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
