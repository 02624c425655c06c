// Runs tests on a PostgreSQL server that is started for them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { comesWithPgvector } from './postgres-programs.mjs';
import { startPostgres, withoutPgvector } from './postgres-server.mjs';
import { root } from './ready.mjs';

/** Tests about SQLite files. */
const ofFiles = [
  ...['backup', 'file-identity', 'fts5-merge', 'group-commit', 'open'],
  ...['processes', 'read-snapshot', 'transfer'],
];

/**
 * Runs vitest with the command's arguments, on these files if it names none. Returns null if there
 * is no server, and says so in one line.
 *
 * @param {string[]} files
 * @returns {Promise<number | null>}
 */
export async function runOnPostgres(files) {
  const given = process.argv.slice(2);
  const wanted = given.some((argument) => !argument.startsWith('-')) ? [] : files;
  const version = process.env.TEST_POSTGRES_VERSION;
  const name = version === undefined ? 'PostgreSQL' : `PostgreSQL ${version}`;
  const server = await startPostgres({
    onMissing: (why) => console.error(`SKIPPED: no ${name} to test on: ${why}`),
  });
  if (server === null) return null;
  console.error(`tests run on ${server.about}`);
  if (server.missed && server.about.endsWith(withoutPgvector) && comesWithPgvector(version))
    console.error(`SKIPPED: vectors on ${name}: ${server.missed}`);
  try {
    return await runTests(server.url, [...wanted, ...given]);
  } finally {
    await server.stop();
  }
}

/**
 * @param {string} url
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function runTests(url, args) {
  const exclude = ofFiles.flatMap((name) => ['--exclude', `test/storage/${name}.test.ts`]);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const program = [vitest, 'run', '--test-timeout=120000', ...exclude, ...args];
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_POSTGRES_URL: url },
  });
  process.once('exit', () => child.kill());
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
