// `npm run test:postgres-versions`: runs the tests of what may differ between versions of
// PostgreSQL, on each version except that of `npm run test:postgres`: creation and upgrades of
// tables, keyword search, filters, the queue, row security, webhooks, and the deletion of a
// project; with pgvector (15 and 18), also storing, finding and moving vectors. Arguments go to
// vitest, instead of these files; TEST_POSTGRES_VERSION names the only version to test.
import { otherVersions } from './postgres-programs.mjs';
import { runOnPostgres } from './postgres-tests.mjs';
import { ready } from './ready.mjs';

const files = [
  ...['hnsw-index', 'isolation', 'setup', 'stores', 'transfer'].map(
    (name) => `test/postgres/${name}.test.ts`,
  ),
  ...['candidates', 'delete-project', 'deliveries', 'events', 'filter', 'jobs', 'memories'].map(
    (name) => `test/storage/${name}.test.ts`,
  ),
  ...['upgrade', 'vector-blocks', 'vectors', 'webhooks'].map(
    (name) => `test/storage/${name}.test.ts`,
  ),
];

await ready();
const { TEST_POSTGRES_VERSION: only } = process.env;
delete process.env.TEST_POSTGRES_URL; // it has one version only
for (const version of only === undefined ? otherVersions : [only]) {
  process.env.TEST_POSTGRES_VERSION = version;
  const code = await runOnPostgres(files);
  if (code !== null && code !== 0) process.exitCode = code;
}
