// Runs a command of a stage: its output is shown as it comes, and its end is kept.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ code: number, timedOut: boolean, seconds: number, lastLines: string[] }} Ended */

const keptLettersMax = 20_000;
/** For servers that a test started to stop; and for output that is still on its way. */
const graceMs = 5_000;

/**
 * After `minutes` the command and what it started are ended.
 *
 * @param {string[]} command
 * @param {{ cwd: string, env?: Record<string, string>, minutes: number }} options
 * @returns {Promise<Ended>}
 */
export async function runCommand([program = '', ...args], { cwd, env, minutes }) {
  const start = performance.now();
  // A group of its own, because npm does not pass signals on to what it runs.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      process.stdout.write(chunk);
      text = (text + chunk).slice(-keptLettersMax);
    });
  const closed = new Promise((resolve) => child.once('close', resolve));
  /** @type {Promise<number>} */
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
  });
  const endGroup = () => signalGroup(child.pid, 'SIGTERM');
  process.once('exit', endGroup);
  let timedOut = false;
  const timer = setTimeout(async () => {
    timedOut = true;
    endGroup();
    await sleep(graceMs);
    signalGroup(child.pid, 'SIGKILL');
  }, minutes * 60_000);

  const code = await exited;

  clearTimeout(timer);
  process.off('exit', endGroup);
  // A process that a test left behind keeps the output open, and would disturb later stages.
  await Promise.race([closed, sleep(graceMs, null, { ref: false })]);
  signalGroup(child.pid, 'SIGKILL');
  const lastLines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return { code, timedOut, seconds: (performance.now() - start) / 1000, lastLines };
}

function signalGroup(/** @type {number | undefined} */ pid, /** @type {NodeJS.Signals} */ signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nothing of it is left.
  }
}
