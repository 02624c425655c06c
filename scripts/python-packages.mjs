// Packages of PyPI that tests use, in locked versions, installed once into the user's cache.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { root } from './ready.mjs';
import { run } from './run.mjs';

/** They are up to 300 MB on disk. A registry that takes so long counts as unavailable. */
const secondsMax = 600;

/**
 * The folder for PYTHONPATH, or one line that says why the packages can't be had.
 *
 * @param {string} name of the folder in the cache
 * @param {string} requirements the file with versions and hashes
 * @returns {Promise<{ folder: string } | { problem: string }>}
 */
export async function findPythonPackages(name, requirements) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mneme-tests');
  const locked = join(root, requirements);
  try {
    const folder = join(cache, `${name}-${hashOf(pythonVersion(), readFileSync(locked))}`);
    mkdirSync(cache, { recursive: true });
    await withLock(cache, () => {
      if (!existsSync(folder)) install(locked, folder);
    });
    return { folder };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** What is compiled for one version does not run on another. */
function pythonVersion() {
  const { status, stdout } = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('there is no python3');
  return stdout.trim();
}

function hashOf(/** @type {(string | Buffer)[]} */ ...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 12);
}

/** Nothing of them runs while they are installed. */
function install(/** @type {string} */ locked, /** @type {string} */ folder) {
  const target = mkdtempSync(`${folder}-`);
  const only = ['--require-hashes', '--only-binary', ':all:', '--no-compile'];
  const args = ['-m', 'pip', 'install', '--quiet', '--target', target, ...only, '-r', locked];
  try {
    run('python3', args, { seconds: secondsMax });
    renameSync(target, folder);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}
