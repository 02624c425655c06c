// Debian's packages, of other releases than the machine's too, in folders of their own.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { has, run } from './run.mjs';

/** A mirror that hangs is one that is not there. */
const secondsMax = 300;

/**
 * A Debian with these packages in a folder: root can be changed to it.
 *
 * @param {string} folder
 * @param {{ suite: string, packages: string[] }} wanted
 */
export function makeDebian(folder, { suite, packages }) {
  const mirror = debianMirror();
  install('debootstrap', ['debootstrap']);
  const include = `--include=${packages.join(',')}`;
  // Its steps are those of all suites of these years; an older program does not know newer names.
  const args = ['--variant=minbase', include, suite, folder, mirror, 'sid'];
  run('debootstrap', args, { seconds: secondsMax });
  rmSync(join(folder, 'var/cache/apt/archives'), { recursive: true, force: true });
}

/**
 * Fetches the archives of a package, and the sources of another, into a folder.
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
    // The user that else fetches may not look into the folder.
    ...['APT::Sandbox::User=root', 'Acquire::http::Timeout=30'],
  ].flatMap((option) => ['-o', option]);
  const get = (/** @type {string[]} */ ...what) =>
    run('apt-get', ['-qq', ...options, ...what], { cwd: folder, seconds: secondsMax });
  get('update');
  get('download', binary.name);
  get('source', '--download-only', source.name);
}

/**
 * Puts packages on the machine where a program of theirs is missing.
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
    // The lists of packages are missing in many images, and may be old.
    get('update');
    get('install', '--yes', ...packages);
  }
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
