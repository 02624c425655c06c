import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../src/app/doctor/local-checks.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { move } from '../storage/transfer-support.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

async function makeStore(name: string): Promise<string> {
  const data_dir = join(home, name);
  await run(['call', 'add_memory', '--text', 'One fact', '--data-dir', data_dir]);
  return data_dir;
}

async function diagnose(data_dir: string) {
  const { code, stdout } = await run(['doctor', '--json', '--data-dir', data_dir]);
  const { healthy, checks } = JSON.parse(stdout);
  const failed = checks.filter(({ status }: { status: string }) => status === 'failed');
  return { code, healthy, checks, failed };
}

/** Names and digests of all files but the log's index, in which readers leave marks. */
function contentOf(folder: string): [string, string][] {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  return names.sort().map((name) => [name, digestOf(readFileSync(join(folder, name)))]);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('mneme doctor', () => {
  it('finds nothing wrong with an empty machine and makes nothing', async () => {
    const data_dir = join(home, 'never-made');

    const { code, healthy, checks } = await diagnose(data_dir);

    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'Data folder', found: `${data_dir} will be created` }),
    );
    expect(readdirSync(home)).not.toContain('never-made');
  });

  it('reads a store and leaves every byte of it as it was', async () => {
    const data_dir = await makeStore('healthy');
    const before = contentOf(data_dir);

    const { code, checks } = await diagnose(data_dir);

    expect(code).toBe(0);
    expect(checks.map(({ name }: { name: string }) => name)).toEqual([
      'Node.js',
      'SQLite',
      'Configuration',
      'Data folder',
      'Free space',
      'Store',
      'Lock',
      'Integrity',
      'API keys',
      'Earlier versions',
      'Embeddings',
      'Search',
      'REST service',
    ]);
    expect(checks[5].found).toContain('memories 1,');
    expect(contentOf(data_dir)).toEqual(before);
  });

  it.skipIf(process.platform === 'win32')(
    'says how to close data that others may read',
    async () => {
      const data_dir = await makeStore("ann's data");
      const file = storePath(data_dir);
      chmodSync(data_dir, 0o755);
      chmodSync(file, 0o644);

      const { code, healthy, checks } = await diagnose(data_dir);
      const isPermissions = ({ name }: { name: string }) => name === 'Permissions';
      const found = checks.find(isPermissions);

      expect({ code, healthy }).toEqual({ code: 0, healthy: true });
      expect(found).toMatchObject({
        status: 'warning',
        found: `other users have rights to ${data_dir}, ${file}`,
      });
      expect(statSync(file).mode & 0o777).toBe(0o644);
      execFileSync('sh', ['-c', found.advice.replace('Run: ', '')]);
      expect([statSync(data_dir).mode & 0o777, statSync(file).mode & 0o777]).toEqual([
        0o700, 0o600,
      ]);
      expect((await diagnose(data_dir)).checks.some(isPermissions)).toBe(false);
    },
  );

  it('leaves the write-ahead log of a killed server as it was', async () => {
    const data_dir = await makeStore('killed');
    const server = (await loadSqlite())(storePath(data_dir));
    server.exec('create table unrelated (a)');
    const left = join(home, 'left-behind');
    cpSync(data_dir, left, { recursive: true });
    server.close();
    const before = contentOf(left);

    const { code, checks } = await diagnose(left);

    expect(code).toBe(0);
    expect(checks).toContainEqual({ name: 'Lock', status: 'ok', found: 'free' });
    expect(before.map(([name]) => name)).toContain('mneme.db-wal');
    expect(contentOf(left)).toEqual(before);
  });

  it('notices a process that does not let go of the store', async () => {
    const data_dir = await makeStore('taken');
    const other = (await loadSqlite())(storePath(data_dir));
    other.exec('begin immediate');

    const { code, failed } = await diagnose(data_dir);
    other.close();

    expect(code).toBe(1);
    expect(failed).toMatchObject([{ name: 'Lock', advice: expect.stringContaining('stop') }]);
  });

  it.each([
    ['is no database', 'this is no database at all, whatever its name says'.repeat(20)],
    ['is empty but for a header', 'SQLite format 3\u0000'.padEnd(8192, 'x')],
  ])('says what is wrong with a file that %s and what to do', async (name, content) => {
    const data_dir = join(home, name);
    mkdirSync(data_dir);
    writeFileSync(storePath(data_dir), content);

    const { code, failed } = await diagnose(data_dir);

    expect(code).toBe(1);
    expect(failed).toMatchObject([{ name: 'Store', found: expect.stringContaining(data_dir) }]);
    expect(contentOf(data_dir)).toHaveLength(1);
    expect(readFileSync(storePath(data_dir), 'utf8')).toBe(content);
  });

  it('finds a damaged page', async () => {
    const data_dir = await makeStore('damaged');
    const bytes = readFileSync(storePath(data_dir));
    bytes.fill(0xff, 4096 * 4, 4096 * 20);
    writeFileSync(storePath(data_dir), bytes);

    const { code, failed } = await diagnose(data_dir);

    expect(code).toBe(1);
    expect(failed).not.toEqual([]);
  });

  it('refuses a store of a newer version', async () => {
    const data_dir = await makeStore('newer');
    const sqlite = (await loadSqlite())(storePath(data_dir));
    sqlite.exec('pragma user_version = 999');
    sqlite.close();

    const { code, failed } = await diagnose(data_dir);

    expect(code).toBe(1);
    expect(failed[0].found).toContain('newer');
  });

  it('counts the keys that still open something', async () => {
    const data_dir = await makeStore('keys');
    await run(['keys', 'create', '--data-dir', data_dir]);
    const { stdout } = await run(['keys', 'create', '--json', '--data-dir', data_dir]);
    await run(['keys', 'revoke', JSON.parse(stdout).key_id, '--data-dir', data_dir]);

    const { checks } = await diagnose(data_dir);

    expect(checks).toContainEqual({ name: 'API keys', status: 'ok', found: '1 in use' });
  });

  it('counts earlier versions, and names those that go', async () => {
    const data_dir = await makeStore('versions');
    const added = await run(['add', 'one', '--json', '--data-dir', data_dir]);
    const { id } = JSON.parse(added.stdout).results[0];
    for (const text of ['two', 'three']) {
      await run([
        'call',
        'update_memory',
        '--memory-id',
        id,
        '--text',
        text,
        '--data-dir',
        data_dir,
      ]);
    }
    const sqlite = (await loadSqlite())(storePath(data_dir));
    sqlite.exec(`update memory_versions set recorded_until = '2020-01-01T00:00:00.000Z'
      where memory = 'one'`);
    sqlite.close();
    const foundWith = async (...flags: string[]) => {
      const { stdout } = await run(['doctor', '--json', '--data-dir', data_dir, ...flags]);
      const { checks } = JSON.parse(stdout);
      return checks.find(({ name }: { name: string }) => name === 'Earlier versions').found;
    };

    expect(await foundWith()).toBe('2, kept forever (history_days 0)');
    expect(await foundWith('--history-days', '30')).toBe(
      '2; 1 ended more than 30 days ago (history_days) and goes within an hour of a server',
    );
  });

  it.each([
    [['--host', '0.0.0.0'], 'TLS'],
    [['--cors-origins', '*'], '--cors-origins'],
  ])('warns of a service with %j', async (args, advice) => {
    const { code, stdout } = await run(['doctor', '--json', ...args]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout).checks.at(-1)).toMatchObject({
      name: 'REST service',
      status: 'warning',
      advice: expect.stringContaining(advice),
    });
  });

  it('tells a move that was stopped from one at work, and how to go on', async () => {
    const [from, into] = [await makeStore('moved-from'), join(home, 'moving')];
    const data_dir = join(home, 'moved-into');
    const stop = () => {
      throw new Error('stopped');
    };
    const places = [{ path: storePath(from) }, { path: storePath(into) }] as const;
    await expect(move(...places, { onProgress: stop })).rejects.toThrow('stopped');
    cpSync(into, data_dir, { recursive: true }); // as a killed process leaves it: open in none
    const partial = `${storePath(data_dir)}.moving`;
    const before = contentOf(data_dir);

    const stopped = await diagnose(data_dir);
    const file = openSync(partial, 'r');
    const atWork = await diagnose(data_dir);
    closeSync(file);

    expect(stopped.code).toBe(1);
    expect(stopped.failed).toEqual([
      {
        name: 'Move',
        status: 'failed',
        advice: expect.stringContaining('--resume'),
        found: `an interrupted \`mneme migrate\` left a partial copy at ${partial}`,
      },
    ]);
    expect(atWork.code).toBe(0);
    expect(atWork.checks).toContainEqual(
      expect.objectContaining({
        name: 'Move',
        status: 'warning',
        found: `process ${process.pid} is moving a store into ${partial}`,
      }),
    );
    expect(contentOf(data_dir)).toEqual(before);
    const resumed = ['migrate', '--from', `sqlite:${from}`, '--resume', '--data-dir', data_dir];
    expect((await run(resumed)).code).toBe(0);
    expect(await diagnose(data_dir)).toMatchObject({ code: 0, failed: [] });
  });

  it('warns of a stopped move beside a store that is used', async () => {
    const data_dir = await makeStore('used');
    writeFileSync(`${storePath(data_dir)}.moving`, '');

    const { code, checks } = await diagnose(data_dir);

    expect(code).toBe(0);
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'Move',
        status: 'warning',
        found: expect.stringMatching(/next to a complete store$/),
      }),
    );
  });

  it('says that a data folder can not be made', async () => {
    const { code, failed } = await diagnose(join(process.execPath, 'data'));

    expect(code).toBe(1);
    expect(failed).toMatchObject([
      { name: 'Data folder', advice: expect.stringContaining('MNEME_DATA_DIR') },
    ]);
  });

  it('reports a wrong configuration beside all else, for people too', async () => {
    const { code, stdout } = await run(['doctor', '--toolsets', 'cor']);

    expect(code).toBe(1);
    expect(stdout).toMatch(/failed +Configuration +flag --toolsets: "cor" is unknown/);
    expect(stdout).toMatch(/ok +SQLite/);
    expect(stdout).toContain('Something needs attention.');
  });

  it.each([
    ['18.20.0', 'failed'],
    ['20.18.3', 'failed'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('takes Node.js %s for %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });
});
