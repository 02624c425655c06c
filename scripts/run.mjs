// Runs the programs of a machine that scripts need.
import { spawnSync } from 'node:child_process';

export function has(/** @type {string} */ program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/**
 * With `seconds`, the program and all that it started have an end by then.
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

/** What `timeout` exits with. */
const timedOut = 124;
