import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { testCount } from './scripts/test-count.mjs';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

export default defineConfig({
  define: { MNEME_VERSION: JSON.stringify(version) },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['scripts/test-setup.mjs'],
    reporters: ['default', testCount],
    // Native SQLite does not like worker threads that are torn down while a file is open.
    pool: 'forks',
    // Generous, because some tests start real processes on machines with two cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
