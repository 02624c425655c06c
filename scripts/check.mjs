// `npm run check`: all checks except the tests. Continues after a failure, so that one run reports
// everything.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installed, root } from './ready.mjs';

await installed();
const pack = mkdtempSync(join(tmpdir(), 'mneme-pack-'));
/** @type {[name: string, command: string, ...args: (string | (() => string))[]][]} */
const steps = [
  ['format and lint', 'biome', 'check', '--error-on-warnings'],
  ['types', 'tsc', '--noEmit'],
  ['types of the dashboard', 'tsc', '--noEmit', '--project', 'src/dashboard'],
  ['sizes of lines, functions and files', 'vitest', 'run', 'test/package/tidy.test.ts'],
  ['import table', 'depcruise', '--config', '.dependency-cruiser.mjs', 'src'],
  ['unused code', 'knip', '--no-progress'],
  ['generated parts', 'node', 'scripts/run-ts.mjs', 'scripts/generate.ts', '--check'],
  ['build', 'node', 'scripts/build.mjs', '--clean'],
  ['pack', 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', pack],
  ['package contents', 'publint', 'run', tarball, '--strict'],
  ['package types', 'attw', tarball, '--profile', 'esm-only'],
];

const failed = steps.filter(([name, command, ...args]) => {
  console.error(`\n--- ${name}`);
  return !succeeds(
    command,
    args.map((arg) => (typeof arg === 'string' ? arg : arg())),
  );
});
rmSync(pack, { recursive: true });
for (const [name] of failed) console.error(`FAILED: ${name}`);
if (failed.length === 0) console.error('\nAll checks passed.');
process.exitCode = failed.length === 0 ? 0 : 1;

function tarball() {
  return join(pack, readdirSync(pack).find((name) => name.endsWith('.tgz')) ?? 'missing.tgz');
}

function succeeds(/** @type {string} */ command, /** @type {string[]} */ args) {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { status } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}
