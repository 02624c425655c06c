import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './errors.ts';

/**
 * How long one attempt at the lock may block the whole process, which SQLite's own waiting does.
 * Longer waits are cut into attempts, and other work goes on between them.
 */
export const lockAttemptMs = 20;

/**
 * Repeats what found the file locked until it succeeds or `timeoutMs` have gone by. Nearly always
 * the first attempt does, and then nothing is to be waited for.
 */
export function retryWhileBusy<T>(timeoutMs: number, attempt: () => T): T | Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!isBusy(error) || timeoutMs <= 0) throw error;
  }
  return pauseAndRetry(timeoutMs, attempt);
}

/** The same after a first attempt that found the file locked. */
export async function pauseAndRetry<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  // Uneven pauses, so that two processes do not go on meeting each other.
  const pauseMs = 1 + Math.random() * lockAttemptMs;
  await sleep(pauseMs);
  return retryWhileBusy(timeoutMs - lockAttemptMs - pauseMs, attempt);
}

/** Runs one after another, in the order of the calls. */
export function createSerialQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => {}); // whoever called gets the error
    return result;
  };
}
