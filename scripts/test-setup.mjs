// Runs once before the tests of a project that starts the built program, also with plain
// `npx vitest`.
import { ready } from './ready.mjs';

/** Sources that do not build stop `npm run test:process`, but not the tests of a part under way. */
export async function setup() {
  try {
    await ready();
  } catch (error) {
    console.error('The build is out of date:', error instanceof Error ? error.message : error);
  }
}
