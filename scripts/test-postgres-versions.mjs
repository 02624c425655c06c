// `npm run test:postgres-versions`: what may differ between versions of PostgreSQL, on each besides
// the one that `npm run test:postgres` has: tables from nothing and from each schema before, search
// by words, filters, the queue, rows of one project only, webhooks, and a project's end; where there
// is pgvector (15 and 18), how vectors are stored, found and moved, too. Arguments go to vitest, in
// place of these files; TEST_POSTGRES_VERSION names the only version to test.
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
  ...['upgrade', 'vector-segments', 'vectors', 'webhooks'].map(
    (name) => `test/storage/${name}.test.ts`,
  ),
];

await ready();
const { TEST_POSTGRES_VERSION: only } = process.env;
delete process.env.TEST_POSTGRES_URL; // it is of one version
for (const version of only === undefined ? otherVersions : [only]) {
  process.env.TEST_POSTGRES_VERSION = version;
  const code = await runOnPostgres(files);
  if (code !== null && code !== 0) process.exitCode = code;
}
