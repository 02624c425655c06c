// Makes a checkout ready to run: installs packages according to the lockfile, and builds if dist is
// older than the sources. Plain Node, because a fresh clone has nothing else. Prints to stderr
// only: stdout may belong to an MCP client that is already listening.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const cli = join(root, 'dist/cli.js');

/** The inputs of a build; a change of any of them makes dist stale. */
const sources = [
  ...['src', 'package-lock.json', 'package.json'],
  ...['build.mjs', 'types.mjs', 'client-types.ts', 'type-printer.ts'].map(
    (name) => `scripts/${name}`,
  ),
];

/** Installs and builds if needed. Safe to call from several processes at once. */
export async function ready() {
  await installed();
  if (isBuilt()) return;
  await withLock(join(root, '.build'), () => {
    if (!isBuilt()) run(process.execPath, [join(root, 'scripts/build.mjs')]);
  });
}

/** Installs if needed. */
export async function installed() {
  if (isInstalled()) return;
  await withLock(join(root, '.build'), () => {
    // Even a quiet `npm start --silent` reports why an installation failed.
    if (!isInstalled()) runNpm(['ci', '--include=dev', '--include=optional', '--loglevel=warn']);
  });
}

/** Compares installed packages with the lockfile: times would be wrong after a `git checkout`. */
function isInstalled() {
  const present = packagesIn('node_modules/.package-lock.json');
  if (!present) return false;
  return Object.entries(packagesIn('package-lock.json') ?? {}).every(([path, locked]) => {
    const found = present[path];
    // Optional packages of other platforms are locked but not installed.
    return found ? found.version === locked.version : path === '' || locked.optional;
  });
}

/** @returns {Record<string, { version?: string, optional?: boolean }> | null} */
function packagesIn(/** @type {string} */ lockfile) {
  const path = join(root, lockfile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : null;
}

/** The build dates dist/cli.js to its own start, so an edit made during a build counts as newer. */
function isBuilt() {
  if (!existsSync(cli)) return false;
  const built = statSync(cli).mtimeMs;
  return sources.every((source) => newest(join(root, source)) <= built);
}

/** Folders count too: their time changes when a file is removed. */
function newest(/** @type {string} */ path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  /** @type {number[]} */
  const inside = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(mtimeMs, ...inside);
}

/** Runs the npm that runs this script, if any; otherwise the one on the PATH. */
export function runNpm(/** @type {string[]} */ args) {
  const npm = process.env.npm_execpath;
  if (npm && /npm-cli\.[cm]?js$/.test(npm)) return run(process.execPath, [npm, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}

/** stdin stays unread: what an MCP client has already sent is for the server, not for npm. */
function run(/** @type {string} */ command, /** @type {string[]} */ args, { shell = false } = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    shell,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  if (status === 0) return;
  throw new Error(`"${command} ${args.join(' ')}" failed`, { cause: error });
}
