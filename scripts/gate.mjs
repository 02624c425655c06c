// `npm run gate`: clones HEAD into an empty folder, runs `.ci/run` there, and says whether it is
// green. A green commit is remembered in the repository, for all its worktrees; `-- --again` runs it
// all the same. The output of a red one is kept beside it.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const commit = git('rev-parse', 'HEAD');
const memory = join(resolve(root, git('rev-parse', '--git-common-dir')), 'gate');
const verdict = join(memory, commit);
const changed = git('status', '--porcelain')
  .split('\n')
  .filter((line) => line !== '').length;
if (changed > 0) console.error(`${changed} changed files are not part of HEAD, and not looked at.`);

if (existsSync(verdict) && !process.argv.includes('--again')) {
  console.log(
    `${readFileSync(verdict, 'utf8').trim()} (remembered; "npm run gate -- --again" runs it)`,
  );
} else {
  mkdirSync(memory, { recursive: true });
  rmSync(verdict, { force: true });
  const log = `${verdict}.log`;
  const code = await runInClone(log);
  if (code === 0) {
    const day = new Date().toISOString().slice(0, 16).replace('T', ' ');
    writeFileSync(verdict, `GREEN: ${commit} on ${day}\n`);
    rmSync(log);
  }
  console.log(code === 0 ? `GREEN: ${commit}` : `RED: ${commit}; the output is in ${log}`);
  process.exitCode = code;
}

/** @param {string} log */
async function runInClone(log) {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-gate-'));
  // A test runs the program as another user.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  git('clone', '--quiet', '--no-checkout', root, folder);
  git('-C', folder, 'checkout', '--quiet', '--detach', commit);
  const child = spawn('bash', ['.ci/run'], {
    cwd: folder,
    env: environmentOfClone(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.once(signal, () => child.kill('SIGTERM'));
  const file = createWriteStream(log);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      process.stdout.write(chunk);
      file.write(chunk);
    });
  /** @type {number} */
  const code = await new Promise((end) => child.once('close', (status) => end(status ?? 1)));
  await new Promise((end) => file.end(end));
  return code;
}

/** As a shell has it: without what npm, git and a test run in this checkout add. */
function environmentOfClone() {
  const added = /^(npm_|GIT_|INIT_CWD$|NODE$|MNEME_|TEST_|VITEST)/;
  const isOfCheckout = (/** @type {string} */ path) => path.includes(`node_modules${sep}.bin`);
  const entries = Object.entries(process.env).filter(([name]) => !added.test(name));
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !isOfCheckout(path));
  return { ...Object.fromEntries(entries), PATH: paths.join(delimiter) };
}

function git(/** @type {string[]} */ ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw new Error(`git ${args.join(' ')} failed: ${stderr.trim()}`);
}
