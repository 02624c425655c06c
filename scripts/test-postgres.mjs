// `npm run test:postgres`: the tests of storage and the scenarios of every operation on PostgreSQL,
// and what only that has. Arguments go to vitest, in place of these folders.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startPostgres } from './postgres-server.mjs';
import { ready, root } from './ready.mjs';

const folders = ['postgres', 'storage', 'behaviour', 'deploy'].map((name) => `test/${name}`);

/** About the file of SQLite. */
const ofFiles = [
  ...['backup', 'migrate', 'moment', 'move', 'open'],
  ...['processes', 'replaced', 'together'],
];

await ready();
const server = await startPostgres({
  onMissing: (why) => console.error(`SKIPPED: no PostgreSQL to test on: ${why}`),
});
if (server !== null) {
  console.error(`tests run on ${server.about}`);
  try {
    process.exitCode = await runTests(server.url);
  } finally {
    await server.stop();
  }
}

/** @returns {Promise<number>} */
function runTests(/** @type {string} */ url) {
  const given = process.argv.slice(2);
  const wanted = given.some((argument) => !argument.startsWith('-')) ? [] : folders;
  const exclude = ofFiles.flatMap((name) => ['--exclude', `test/storage/${name}.test.ts`]);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--test-timeout=120000', ...wanted, ...exclude, ...given],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TEST_POSTGRES_URL: url },
    },
  );
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
