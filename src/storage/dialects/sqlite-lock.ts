import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite-errors.ts';

/**
 * How long one attempt at the lock may block the whole process, which SQLite's own waiting does.
 * Longer waits are cut into attempts, and other work goes on between them.
 */
export const attemptMs = 20;

/** Repeats what found the file locked until it succeeds or `timeoutMs` have gone by. */
export async function patiently<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  for (let waitedMs = 0; ; ) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= timeoutMs) throw error;
    }
    // Uneven pauses, so that two processes do not go on meeting each other.
    const pauseMs = 1 + Math.random() * attemptMs;
    await sleep(pauseMs);
    waitedMs += attemptMs + pauseMs;
  }
}

/** Runs one after another, in the order of the calls. */
export function createQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => {}); // whoever called gets the error
    return result;
  };
}
