// `npm run release -- VERSION`: sets the version everywhere, gives CHANGELOG.md its heading, packs
// the package and the bundle, commits and tags. `--dry-run` only prints what it would do. It pushes
// and publishes nothing, and prints the commands for that.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installed, root } from './ready.mjs';
import { releasedFiles } from './release-files.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});
const [version = ''] = positionals;
const tag = `v${version}`;

try {
  refuseUnfit();
  const day = new Date().toISOString().slice(0, 10);
  const files = releasedFiles((file) => readFileSync(join(root, file), 'utf8'), { version, day });
  if (values['dry-run']) printPlan(Object.keys(files));
  else await release(files);
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

/** Refuses everything that can be known to be wrong before a file changes. */
function refuseUnfit() {
  if (positionals.length !== 1 || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    throw new Error('name one version, such as 0.2.0');
  }
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (compared(version, current) < 0) throw new Error(`the version is ${current} already`);
  if (git('tag', '--list', tag) !== '') throw new Error(`the tag ${tag} exists already`);
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new Error(`commit or remove these first:\n${changed}`);
}

/** Compares by numbers; a pre-release comes before its release. */
function compared(/** @type {string} */ one, /** @type {string} */ other) {
  const [numbers, others] = [one, other].map((text) => text.split('-')[0]?.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const difference = (numbers?.[at] ?? 0) - (others?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(other.includes('-')) - Number(one.includes('-'));
}

/** Packs before it commits, so that a failure leaves neither a commit nor a tag. */
async function release(/** @type {Record<string, string>} */ files) {
  await installed();
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, file), text);
  run(process.execPath, 'scripts/build.mjs', '--clean');
  run(process.execPath, 'scripts/run-ts.mjs', 'scripts/generate.ts');
  // npm would run the build above before it packs.
  run('npm', 'pack', '--silent', '--ignore-scripts');
  run(process.execPath, 'scripts/bundle.mjs');
  git('commit', '--all', '--quiet', '--message', `chore(release): version ${version}`);
  git('tag', '--annotate', tag, '--message', `Version ${version}`);
  console.log(`Version ${version} is committed, tagged as ${tag} and packed. To publish it:\n`);
  for (const command of publishing()) console.log(`  ${command}`);
}

function printPlan(/** @type {string[]} */ files) {
  const steps = [
    `write version ${version} to ${files.join(', ')}`,
    'write what is generated from them: manifest.json, server.json and the plugin',
    `pack mneme-${version}.tgz and mneme-${version}.mcpb`,
    `commit "chore(release): version ${version}" and tag it ${tag}`,
  ];
  console.log(`A release of ${version} would:\n`);
  for (const step of steps) console.log(`  - ${step}`);
  console.log('\nNothing was changed. After it:\n');
  for (const command of publishing()) console.log(`  ${command}`);
}

function publishing() {
  return [
    'git push --follow-tags',
    `npm publish mneme-${version}.tgz`,
    `gh release create ${tag} mneme-${version}.mcpb dist/sbom.cdx.json`,
    'mcp-publisher publish',
  ];
}

function git(/** @type {string[]} */ ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trimEnd();
}

function run(/** @type {string} */ command, /** @type {string[]} */ ...args) {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status } = spawnSync(command, args, { cwd: root, shell, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed; see git status`);
}
