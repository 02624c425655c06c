// Runs programs of this machine for scripts.
import { spawnSync } from 'node:child_process';

export function has(/** @type {string} */ program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/**
 * With `seconds`, the program and everything it started are killed after that time.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, seconds?: number }} [options]
 */
export function run(program, args, { cwd, seconds } = {}) {
  const command = seconds === undefined ? [program] : ['timeout', String(seconds), program];
  const [first = '', ...before] = command;
  const { status, stderr } = spawnSync(first, [...before, ...args], { cwd, encoding: 'utf8' });
  if (status === 0) return;
  if (seconds !== undefined && status === timedOut)
    throw new Error(`${program} took longer than ${seconds} s`);
  const lines = stderr?.trim().split('\n') ?? [];
  const told = lines.find((line) => /error|failed/i.test(line)) ?? lines.at(-1);
  throw new Error(`${program} failed: ${told || 'it cannot be run'}`);
}

/** The exit code of `timeout`. */
const timedOut = 124;
