// `npm run check`: all checks except the tests. Continues after a failure, so that one run reports
// everything.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installed, root } from './ready.mjs';

/** Enough to see the last finding of a step. */
const linesAtEnd = 12;

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

/** The last lines of the output of each step that failed. @type {Record<string, string[]>} */
const failed = {};
for (const [name, command, ...args] of steps) {
  console.error(`\n--- ${name}`);
  const { status, output } = outputOf(
    command,
    args.map((arg) => (typeof arg === 'string' ? arg : arg())),
  );
  process.stderr.write(output);
  if (status !== 0) failed[name] = output.trim().split('\n').slice(-linesAtEnd);
}
rmSync(pack, { recursive: true });
for (const [name, lines] of Object.entries(failed))
  console.error(`\nFAILED: ${name}, whose output ends with\n${lines.join('\n')}`);
if (Object.keys(failed).length === 0) console.error('\nAll checks passed.');
process.exitCode = Object.keys(failed).length === 0 ? 0 : 1;

function tarball() {
  return join(pack, readdirSync(pack).find((name) => name.endsWith('.tgz')) ?? 'missing.tgz');
}

function outputOf(/** @type {string} */ command, /** @type {string[]} */ args) {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, PATH },
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { status, output: `${stdout ?? ''}${stderr ?? ''}` };
}
