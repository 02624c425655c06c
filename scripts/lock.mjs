// One process at a time, on one machine: a lock file that names its owner. A lock left behind by
// a process that died, or that is older than any install can take, is taken over.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 200;
const ageMaxMs = 15 * 60_000;

/** Runs the work while this process alone holds the lock of that folder. */
export async function withLock(/** @type {string} */ folder, /** @type {() => void} */ work) {
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'lock');
  while (!take(lock)) {
    recover(lock);
    await sleep(pollMs);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A link appears with its content in one step, so nobody ever reads a lock without an owner. */
function take(/** @type {string} */ lock) {
  const mine = `${lock}-${process.pid}`;
  writeFileSync(mine, JSON.stringify({ pid: process.pid, since: Date.now() }));
  try {
    linkSync(mine, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Moves a dead lock aside first: of several that saw it dead, one succeeds. */
function recover(/** @type {string} */ lock) {
  const aside = `${lock}-dead-${process.pid}`;
  try {
    if (isHeld(lock)) return;
    renameSync(lock, aside);
    // Another process may have taken it between the check and the move: then give it back.
    if (isHeld(aside)) linkSync(aside, lock);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isHeld(/** @type {string} */ lock) {
  const { pid, since } = JSON.parse(readFileSync(lock, 'utf8'));
  if (Date.now() - since > ageMaxMs) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function codeOf(/** @type {unknown} */ error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
