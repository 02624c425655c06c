// `npm run test:postgres`: the tests of storage and the scenarios of every operation on PostgreSQL,
// and what only that has. Arguments go to vitest, in place of these folders.
import { runOnPostgres } from './postgres-tests.mjs';
import { ready } from './ready.mjs';

const folders = ['postgres', 'storage', 'behaviour', 'deploy'].map((name) => `test/${name}`);

await ready();
process.exitCode = (await runOnPostgres(folders)) ?? 0;
