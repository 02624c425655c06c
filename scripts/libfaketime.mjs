// Finds libfaketime, which gives a process another clock: in Debian's package, unpacked once into
// the user's cache, because tests need no more of it than one file.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { run } from './run.mjs';

const name = 'libfaketime';

const secondsMax = 60;

/**
 * The path of the library for `LD_PRELOAD`, or one line that says why there is none.
 *
 * @returns {Promise<{ path: string } | { problem: string }>}
 */
export async function findLibfaketime() {
  if (process.platform !== 'linux') return { problem: `${name} is fetched for Linux only` };
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mneme-tests');
  const folder = join(cache, name);
  try {
    mkdirSync(cache, { recursive: true });
    await withLock(cache, () => {
      if (!existsSync(folder)) unpack(folder);
    });
    const lib = join(folder, 'usr/lib');
    const path = readdirSync(lib, { recursive: true, encoding: 'utf8' }).find((file) =>
      file.endsWith('/libfaketime.so.1'),
    );
    if (path === undefined) throw new Error('the package has no libfaketime.so.1');
    return { path: join(lib, path) };
  } catch (error) {
    return { problem: `${name}: ${error instanceof Error ? error.message : error}` };
  }
}

/** As any user: `download` and `dpkg-deb` install nothing. */
function unpack(/** @type {string} */ folder) {
  const fetched = mkdtempSync(`${folder}-`);
  try {
    run('apt-get', ['-qq', 'download', name], { cwd: fetched, seconds: secondsMax });
    const archive = readdirSync(fetched).find((file) => file.endsWith('.deb'));
    if (archive === undefined) throw new Error('apt-get downloaded nothing');
    run('dpkg-deb', ['-x', archive, 'files'], { cwd: fetched, seconds: secondsMax });
    renameSync(join(fetched, 'files'), folder);
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
}
