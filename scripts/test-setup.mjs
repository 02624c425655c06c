// Runs once before the tests, also with plain `npx vitest`: some tests start the built program.
import { ready } from './ready.mjs';

/** Sources that do not build stop `npm test`, but not the tests of a part under way. */
export async function setup() {
  try {
    await ready();
  } catch (error) {
    console.error('The build is out of date:', error instanceof Error ? error.message : error);
  }
}
