// Runs once before the tests of a project that starts the built program, even with plain `npx
// vitest`.
import { ready } from './ready.mjs';

/** A failed build stops `npm run test:process`, but not a run of single test files. */
export async function setup() {
  try {
    await ready();
  } catch (error) {
    console.error('The build is out of date:', error instanceof Error ? error.message : error);
  }
}
