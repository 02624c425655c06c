import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { testReport } from './scripts/ci/test-report.mjs';
import { testCount } from './scripts/test-count.mjs';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

const everything = ['test/**/*.test.ts'];
/** Start the built program, or processes of their own, some of which they kill; or watch theirs. */
const processes = [
  'test/{cli,dashboard,deploy,e2e,library}/**/*.test.ts',
  'test/package/!(cycles|tidy).test.ts',
  'test/storage/{fts5-merge,processes,transfer}.test.ts',
  'test/core/costs/costs.test.ts',
];
/** Drive the built program with packages that others publish, which they install. */
const compat = ['test/{clients,conformance,models,openapi,specification}/**/*.test.ts'];
/** Need a server; the other two of the folder look at addresses and messages. */
const onServer = ['test/postgres/!(address|failures).test.ts'];

/** Makes dist as new as the sources before the first test. */
const globalSetup = ['scripts/test-setup.mjs'];

/**
 * For files that leave nothing behind in their process: a worker loads the modules once for all of
 * them, which takes half as long as to load them for each.
 */
const shared = { isolate: false, setupFiles: ['test/support/globals.ts'], env: inMemory() };

const projects = [
  project('unit', {
    include: everything,
    exclude: [...processes, ...compat, ...onServer],
    ...shared,
    provide: { targets: 'near' },
  }),
  project('process', { include: processes, globalSetup }),
  project('compat', { include: compat, globalSetup }),
  project('compat-behaviour', {
    ...shared,
    include: ['test/behaviour/**/*.test.ts'],
    provide: { targets: 'far' },
  }),
];

/** Any file can run on a server, such as `npm run test:postgres` starts. */
const onPostgres = [
  project('postgres', {
    include: everything,
    globalSetup,
    provide: { targets: process.env.TEST_TARGETS === 'all' ? 'all' : 'few' },
  }),
];

export default defineConfig({
  define: { MNEME_VERSION: JSON.stringify(version) },
  test: {
    projects: process.env.TEST_POSTGRES_URL === undefined ? projects : onPostgres,
    reporters: ['default', testCount, testReport],
    // Native SQLite does not like worker threads that are torn down while a file is open.
    pool: 'forks',
    maxWorkers: '100%',
    // Only what fails, or takes really long, has more to say than the line of its file.
    silent: 'passed-only',
    slowTestThreshold: 10_000,
    // Generous, because some tests start ten real processes on a busy machine with two cores. A
    // limit is there to end what hangs, not to measure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
});

function project(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

/** Has temporary files in memory, where the machine has room for them there. */
function inMemory(): Record<string, string> {
  const folder = '/dev/shm';
  const roomMin = 2 ** 30;
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < roomMin ? {} : { TMPDIR: folder };
  } catch {
    return {};
  }
}
