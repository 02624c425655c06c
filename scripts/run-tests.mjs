// `npm test`, `npm run test:process`, `npm run test:compat` and `npm run test:long`: prepares what
// the tests need, then runs them. The first argument names the projects; the rest goes to vitest.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, ready, root } from './ready.mjs';

const [kind = 'unit', ...args] = process.argv.slice(2);
/** Named files run in whichever project has them; otherwise all files of the projects run. */
const named = args.some((arg) => existsSync(join(root, arg)));

if (kind === 'unit') await installed();
else await ready();
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...selection(), ...args], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

function selection() {
  if (kind === 'long') return longFiles();
  if (kind === 'unit' && named) return [];
  return [`--project=${kind}*`];
}

/** The files that take their rounds and seed from support/rounds.ts, with nightly settings. */
function longFiles() {
  process.env.MNEME_TEST_ROUNDS ??= '20';
  process.env.MNEME_TEST_SEED ??= String(randomInt(2 ** 31));
  const { MNEME_TEST_ROUNDS: rounds, MNEME_TEST_SEED: seed } = process.env;
  console.error(`repeat with MNEME_TEST_ROUNDS=${rounds} MNEME_TEST_SEED=${seed}`);
  if (named) return [];
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((name) => readFileSync(join(root, name), 'utf8').includes("support/rounds.ts'"));
}
