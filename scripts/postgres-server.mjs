// A temporary PostgreSQL server on this machine for tests and benchmarks: version 17 with pgvector
// if available, or the version in TEST_POSTGRES_VERSION.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { waysTo } from './postgres-programs.mjs';
import { run } from './run.mjs';

/**
 * `missed` says why it is not the best possible server.
 *
 * @typedef {{ url: string, about: string, missed?: string | undefined, stop(): Promise<void> }} Server
 * @typedef {Server & {
 *   restart(mode: 'fast' | 'immediate'): Promise<void>,
 *   crash(): Promise<void>,
 *   startStandby(): Promise<Standby>,
 * }} OwnServer
 * @typedef {{ url: string, promote(): Promise<void> }} Standby
 * @typedef {import('./postgres-programs.mjs').Installed} Installed
 */

/**
 * Starts a server, or uses that of TEST_POSTGRES_URL. Returns null if there is none: then
 * `onMissing` gets the reason.
 *
 * @param {{ settings?: string[], onMissing: (why: string) => void }} options
 * @returns {Promise<Server | null>}
 */
export async function startPostgres({ settings = [], onMissing }) {
  const given = process.env.TEST_POSTGRES_URL;
  if (given) return { url: given, about: 'TEST_POSTGRES_URL', stop: async () => {} };
  // A command that is killed stops its server, like one that exits.
  for (const [signal, code] of endings) process.once(signal, () => process.exit(code));
  return startOwnPostgres({ settings, onMissing });
}

/** Exit codes as in shells. @type {[NodeJS.Signals, number][]} */
const endings = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

/**
 * Starts a server that the caller may restart and configure; null if there is none.
 * `files` are written to its data folder, by name.
 *
 * @param {{ settings?: string[], files?: Record<string, string>, onMissing: (why: string) => void }} options
 * @returns {Promise<OwnServer | null>}
 */
export async function startOwnPostgres({ settings = [], files = {}, onMissing }) {
  /** @type {string[]} */
  const problems = [];
  for (const find of waysTo(process.env.TEST_POSTGRES_VERSION)) {
    try {
      const installed = await find();
      return { ...(await start(installed, settings, files)), missed: problems[0] };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  onMissing(problems.join('; '));
  return null;
}

/**
 * @param {Installed} installed
 * @param {string[]} settings
 * @param {Record<string, string>} files
 * @returns {Promise<OwnServer>}
 */
async function start(installed, settings, files) {
  const { root } = installed;
  const temporary = mkdtempSync(join(folderOf(root, settings), 'mneme-postgres-'));
  try {
    return await startIn(temporary, installed, { settings, files });
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * @param {string} temporary
 * @param {Installed} installed
 * @param {{ settings: string[], files: Record<string, string> }} options
 * @returns {Promise<OwnServer>}
 */
async function startIn(temporary, { root, bin, user }, { settings, files }) {
  const isShared = root !== '/' && dirname(temporary) === memory;
  const inside = root === '/' || isShared ? temporary : temporary.slice(root.length);
  const password = randomBytes(16).toString('hex');
  const owned = join(temporary, 'password');
  writeFileSync(owned, password);
  chmodSync(temporary, 0o700);
  if (user !== null) giveTo(user, root, [temporary, owned]);
  const shared = isShared ? sharing(root) : [];
  const as = user === null ? [] : [...shared, 'chroot', `--userspec=${user}`, root];
  const [program = '', ...before] = [...as, join(bin, 'initdb')];
  run(program, [
    ...[...before, '--username=postgres', '--auth=password', `--pwfile=${inside}/password`],
    ...['--encoding=UTF8', '--locale=C', '--no-sync', '--pgdata', `${inside}/data`],
  ]);
  for (const [name, content] of Object.entries(files)) {
    const path = join(temporary, 'data', name);
    writeFileSync(path, content);
    chmodSync(path, 0o600);
    if (user !== null) giveTo(user, root, [path]);
  }
  const port = await freePort();
  const [first = '', ...rest] = [...as, join(bin, 'postgres'), '-D', `${inside}/data`];
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const args = [...rest, ...optionsOf(port, inside, settings)];
  let running = launch(first, args);
  /** @type {Running[]} */
  const standbys = [];
  const remove = () => rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
  const kill = () => {
    for (const { server } of [running, ...standbys]) server.kill('SIGQUIT');
    remove();
  };
  process.once('exit', kill);
  const stop = async () => {
    process.removeListener('exit', kill);
    for (const { server } of [running, ...standbys]) server.kill('SIGINT');
    await Promise.all([running, ...standbys].map(({ ended }) => ended));
    remove();
  };
  /** `fast` breaks connections, `immediate` is a crash. @param {'fast' | 'immediate'} mode */
  const restart = async (mode) => {
    running.server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await running.ended;
    running = launch(first, args);
    await answered(url, running.ended);
  };
  const crash = async () => {
    running.server.kill('SIGQUIT');
    await running.ended;
  };
  const startStandby = async () => {
    const { standby, ...started } = await launchStandby({ as, bin, inside, url, settings });
    standbys.push(started);
    await answered(standby.url, started.ended);
    return standby;
  };
  try {
    const about = await answered(url, running.ended);
    return { url, about, restart, crash, startStandby, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * @param {number} port
 * @param {string} folder
 * @param {string[]} settings
 */
function optionsOf(port, folder, settings) {
  const options = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`],
    // System folders may be missing in the root; and the data need not be durable.
    ...['dynamic_shared_memory_type=mmap', 'fsync=off', 'max_connections=200', ...settings],
  ];
  return options.flatMap((option) => ['-c', option]);
}

/**
 * A copy of the server that follows it, until it is promoted.
 *
 * @param {{ as: string[], bin: string, inside: string, url: string, settings: string[] }} primary
 */
async function launchStandby({ as, bin, inside, url, settings }) {
  const folder = `${inside}/standby`;
  const [program = '', ...before] = [...as, join(bin, 'pg_basebackup')];
  const copy = ['--pgdata', folder, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  run(program, [...before, '--dbname', url, ...copy]);
  const port = await freePort();
  const [first = '', ...rest] = [...as, join(bin, 'postgres'), '-D', folder];
  const own = new URL(url);
  own.port = `${port}`;
  const promote = async () => {
    const client = new pg.Client(own.href);
    await client.connect();
    await client.query('select pg_promote()').finally(() => client.end());
  };
  const running = launch(first, [...rest, ...optionsOf(port, inside, settings)]);
  return { ...running, standby: { url: own.href, promote } };
}

/**
 * In memory if there is room: tests create and drop hundreds of databases of many files.
 *
 * @param {string} root
 * @param {string[]} settings
 */
function folderOf(root, settings) {
  const own = root === '/' ? tmpdir() : join(root, 'tmp');
  const mayVanish = !settings.includes('fsync=on');
  if (!mayVanish || !existsSync(memory) || !(root === '/' || mayShare(root))) return own;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > memoryWantedBytes ? memory : own;
}

function mayShare(/** @type {string} */ root) {
  const [program = '', ...args] = [...sharing(root), 'true'];
  return spawnSync(program, args).status === 0;
}

/** The start of a command that sees this root's memory file system, which nobody else does. */
function sharing(/** @type {string} */ root) {
  const bind = 'mount --bind "$1" "$0$1" && shift && exec "$@"';
  return ['unshare', '--mount', 'sh', '-c', bind, root, memory];
}

const memory = '/dev/shm';
const memoryWantedBytes = 4 * 1024 ** 3;

/**
 * @typedef {ReturnType<typeof launch>} Running
 *
 * @param {string} program
 * @param {string[]} args
 */
function launch(program, args) {
  const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  return { server, ended: new Promise((resolve) => server.once('exit', resolve)) };
}

/**
 * @param {string} user
 * @param {string} root
 * @param {string[]} paths
 */
export function giveTo(user, root, paths) {
  const line = readFileSync(join(root, 'etc/passwd'), 'utf8').match(
    new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, 'm'),
  );
  if (line === null) throw new Error(`PostgreSQL needs a user ${user}`);
  for (const path of paths) chownSync(path, Number(line[1]), Number(line[2]));
}

/**
 * @param {string} url
 * @param {Promise<unknown>} ended
 */
async function answered(url, ended) {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (isOver) break;
    const client = new pg.Client(url);
    try {
      await client.connect();
      const { rows } = await client.query(
        `select current_setting('server_version') as version, (
          select default_version from pg_available_extensions where name = 'vector') as pgvector`,
      );
      const [{ version, pgvector }] = rows;
      return `PostgreSQL ${version} ${pgvector ? `with pgvector ${pgvector}` : withoutPgvector}`;
    } catch {
      await sleep(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error('PostgreSQL did not start');
}

/** How the description of a server without pgvector ends. */
export const withoutPgvector = 'without pgvector';

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
