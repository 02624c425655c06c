// Installs Debian packages, also of other releases, into separate folders.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { has, run } from './run.mjs';

/** A mirror that hangs for so long counts as unavailable. */
const secondsMax = 300;

/**
 * Installs a Debian system with these packages into a folder, for use with chroot.
 *
 * @param {string} folder
 * @param {{ suite: string, packages: string[] }} wanted
 */
export function makeDebian(folder, { suite, packages }) {
  const mirror = debianMirror();
  install('debootstrap', ['debootstrap']);
  const include = `--include=${packages.join(',')}`;
  // The script is the same for all suites of recent years; an older debootstrap may lack newer
  // names.
  const args = ['--variant=minbase', include, suite, folder, mirror, 'sid'];
  run('debootstrap', args, { seconds: secondsMax });
  rmSync(join(folder, 'var/cache/apt/archives'), { recursive: true, force: true });
}

/**
 * Downloads the archives of one package, and the sources of another, into a folder.
 *
 * @param {string} folder
 * @param {{ binary: { suite: string, name: string }, source: { suite: string, name: string } }} wanted
 */
export function fetchPackages(folder, { binary, source }) {
  const from = `[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${debianMirror()}`;
  const apt = join(folder, 'apt');
  for (const part of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(apt, part), { recursive: true });
  }
  const list = join(apt, 'sources.list');
  writeFileSync(list, `deb ${from} ${binary.suite} main\ndeb-src ${from} ${source.suite} main\n`);
  const options = [
    ...[`Dir::Etc::sourcelist=${list}`, 'Dir::Etc::sourceparts=/dev/null'],
    ...[`Dir::State::lists=${apt}/lists`, `Dir::Cache=${apt}/cache`],
    // apt's own user may not read the folder.
    ...['APT::Sandbox::User=root', 'Acquire::http::Timeout=30'],
  ].flatMap((option) => ['-o', option]);
  const get = (/** @type {string[]} */ ...what) =>
    run('apt-get', ['-qq', ...options, ...what], { cwd: folder, seconds: secondsMax });
  get('update');
  get('download', binary.name);
  get('source', '--download-only', source.name);
}

/**
 * Installs packages on this machine if a program of theirs is missing.
 *
 * @param {string} program
 * @param {string[]} packages
 */
export function install(program, packages) {
  if (has(program)) return;
  const get = (/** @type {string[]} */ ...what) =>
    run('apt-get', ['-qq', ...what], { seconds: secondsMax });
  try {
    get('install', '--yes', ...packages);
  } catch {
    // Many images have no package lists, or old ones.
    get('update');
    get('install', '--yes', ...packages);
  }
}

/** The mirror from which this machine gets its packages. */
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
