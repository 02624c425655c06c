import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for time, which tests don't: they wait for conditions. It is for what has time as its input,
 * such as a slow peer or the moment of a kill; test/package/tidy.test.ts lists who may use it.
 */
export function pause(ms: number): Promise<void> {
  return sleep(ms);
}
