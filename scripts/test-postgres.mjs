// `npm run test:postgres`: the tests of storage, the scenarios of every operation on PostgreSQL,
// the dashboard of a large store, and the tests of PostgreSQL itself. Arguments go to vitest, instead of these folders.
import { runOnPostgres } from './postgres-tests.mjs';
import { ready } from './ready.mjs';

const folders = [
  ...['postgres', 'storage', 'behaviour', 'deploy', 'core/versions', 'e2e/clock-jumps.test.ts'],
  'dashboard/large.test.ts',
].map((name) => `test/${name}`);

await ready();
process.exitCode = (await runOnPostgres(folders)) ?? 0;
