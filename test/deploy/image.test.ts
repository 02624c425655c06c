import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { programFiles } from '../../scripts/program-files.mjs';
import { ownerKey, until } from '../e2e/service.ts';
import { spawnWire, type Wire } from '../e2e/support.ts';
import { databaseOf, dropDatabase, isPostgres } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { copies, environmentOf, finalStage, only } from './dockerfile.ts';

const stage = finalStage('deploy/Dockerfile');
const user = only(stage, 'USER');
const program = programFiles('dist');

/** Only root can use chroot. */
const isPossible =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'chroot', '/', 'true']).status === 0;
if (!isPossible) process.stderr.write('SKIPPED: no right to chroot: test/deploy/image.test.ts\n');

let root: string;

describe.runIf(isPossible && isPostgres)('the image, by its layout and its commands', () => {
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'mneme-image-'));
    chmodSync(root, 0o755);
    for (const { from, to } of copies(stage)) {
      for (const path of from) copyInto(path, join(root, to));
    }
    addNode();
    mkdirSync(join(root, 'tmp'));
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('holds the program and little else', () => {
    const bytes = execFileSync('du', ['--summarize', '--bytes', join(root, 'app')]);

    // 10.6 MB of it are the embedding tables.
    expect(Number.parseInt(bytes.toString(), 10)).toBeLessThan(17_200_000);
    expect(existsSync(join(root, 'app/dist/embedding/english.bin'))).toBe(true);
    expect(existsSync(join(root, 'app/dist/embedding/languages.bin'))).toBe(true);
  });

  it('serves as its user, on a root that cannot be written', async () => {
    const { wire, url, checkHealth } = await serve();
    const status = readFileSync(`/proc/${wire.pid}/status`, 'utf8');
    const headers = { Authorization: `Token ${ownerKey}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ messages: 'I like tea', user_id: 'alice', infer: false });

    const health = checkHealth();
    const added = await fetch(`${url}/v1/memories/`, { method: 'POST', headers, body });
    const found = await fetch(`${url}/v1/memories/?user_id=alice`, { headers });
    const docs = await fetch(`${url}/docs/docs.js`);
    const written = writeIn('/app/x');

    expect(health).toBe(0);
    expect(added.status).toBe(200);
    expect(await found.json()).toMatchObject([{ memory: 'I like tea' }]);
    expect(docs.status).toBe(200);
    expect(/^Uid:\s+(\d+)\s/m.exec(status)?.[1]).toBe(user.split(':')[0]);
    expect(written).toContain('EROFS');
  });

  it('continues for its delay after SIGTERM, and exits with 0', async () => {
    const { wire, url, checkHealth } = await serve({ MNEME_SHUTDOWN_DELAY_MS: '1000' });

    wire.kill('SIGTERM');
    await until(
      () => statusOf(`${url}/readyz`),
      (status) => status === 503,
    );
    const alive = await statusOf(`${url}/docs`);

    expect(alive).toBe(200);
    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(checkHealth()).toBe(1);
  });

  it('runs other commands, such as the one that creates tables', async () => {
    const { args } = await inImage(['keys', 'list']);

    const { status, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('ends when it is told to, as the first process of a container, during any command', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    const asked = once(silent, 'connection');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo; // of TCP
    const { args } = await inImage(['keys', 'list'], {
      MNEME_DATABASE_URL: `postgres://127.0.0.1:${port}/mneme`,
    });

    const wire = start(['--pid', '--fork', '--kill-child', ...args]);
    await asked;
    process.kill(childOf(wire.pid), 'SIGTERM');

    expect(await wire.exited).toEqual({ code: 143, signal: null });
  });
});

/** A file goes into the folder, the content of a folder too: as COPY does it. */
function copyInto(path: string, folder: string): void {
  const target = statSync(path).isDirectory() ? folder : join(folder, basename(path));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target, { recursive: true, filter: isOfBuild });
}

/** The image is built from scratch: it has no program of an earlier build. */
function isOfBuild(path: string): boolean {
  return !path.endsWith('.cjs') || program.has(path);
}

/** This Node.js in the place of the one of the base image, with the libraries that it needs. */
function addNode(): void {
  const [node = ''] = JSON.parse(only(stage, 'ENTRYPOINT'));
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  const paths = [...libraries.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  for (const [from, to] of [...paths.map((path) => [path, path]), [process.execPath, node]]) {
    const target = join(root, to ?? '');
    mkdirSync(dirname(target), { recursive: true });
    cpSync(from ?? '', target, { dereference: true });
  }
}

/** Arguments of `unshare` that run a command in the image, on a database of its own. */
async function inImage(command: string[], env: Record<string, string> = {}) {
  const { database } = await databaseOf(root);
  if (database) onTestFinished(() => dropDatabase(root));
  const all = {
    ...environmentOf(stage),
    MNEME_BOOTSTRAP_KEY: ownerKey,
    ...(database && { MNEME_DATABASE_URL: database.url }),
    ...env,
  };
  return { args: confined([...JSON.parse(only(stage, 'ENTRYPOINT')), ...command], all) };
}

function confined(command: readonly string[], env: Record<string, string>): string[] {
  const script = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" &&
    root=$1 && shift && exec chroot --userspec=${user} "$root" "$@"`;
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // Nothing of this machine's environment is in a container.
  const empty = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', ...set];
  return ['--mount', ...empty, 'sh', '-c', script, 'sh', root, ...command];
}

async function serve(env: Record<string, string> = {}) {
  const port = String(await freePort());
  const { args } = await inImage(JSON.parse(only(stage, 'CMD')), { MNEME_PORT: port, ...env });
  const wire = start(args);
  const url = `http://127.0.0.1:${port}`;
  await Promise.race([
    until(
      () => statusOf(`${url}/readyz`),
      (status) => status === 200,
    ),
    wire.exited.then(() => Promise.reject(new Error(wire.stderr()))),
  ]);
  const [, health = ''] = / CMD (\[.*\])$/.exec(only(stage, 'HEALTHCHECK')) ?? [];
  const command: string[] = JSON.parse(health);
  const check = confined(command, { MNEME_PORT: port });
  return { wire, url, checkHealth: () => spawnSync('unshare', check).status };
}

function start(args: string[]): Wire {
  const wire = spawnWire({ command: 'unshare', args, env: { ...process.env } as never, cwd: '/' });
  onTestFinished(async () => {
    wire.kill('SIGKILL');
    await wire.exited;
  });
  return wire;
}

/** The only process that this one started. */
function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}

/** The error when the image's user writes a file. */
function writeIn(path: string): string {
  const [node = ''] = JSON.parse(only(stage, 'ENTRYPOINT'));
  const code = `require('fs').writeFileSync('${path}', '')`;
  return spawnSync('unshare', confined([node, '-e', code], {}), { encoding: 'utf8' }).stderr;
}

function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}
