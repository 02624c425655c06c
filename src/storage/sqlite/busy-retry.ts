import { setTimeout as sleep, setImmediate as turnOfOthers } from 'node:timers/promises';
import { isBusy } from './errors.ts';

/**
 * How long one attempt at the lock may block the whole process, as SQLite's own wait does. Longer
 * waits are split into attempts, with other work in between.
 */
export const lockAttemptMs = 20;

/**
 * Repeats `attempt` while the file is locked, for up to `timeoutMs`. The first attempt nearly
 * always succeeds; then the result is not a promise.
 */
export function retryWhileBusy<T>(timeoutMs: number, attempt: () => T): T | Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!isBusy(error) || timeoutMs <= 0) throw error;
  }
  return pauseAndRetry(timeoutMs, attempt);
}

/** Continues after a first attempt that found the file locked. */
export async function pauseAndRetry<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  // Random pauses, so that two processes do not keep colliding.
  const pauseMs = 1 + Math.random() * lockAttemptMs;
  await sleep(pauseMs);
  // Timers that are due by then come before everything else, so two that wait by timers alone would
  // keep the one from ending its transaction that holds the lock in this process.
  await turnOfOthers();
  return retryWhileBusy(timeoutMs - lockAttemptMs - pauseMs, attempt);
}

/** Runs functions one after another, in the order of the calls. */
export function createSerialQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => {}); // the caller gets the error
    return result;
  };
}
