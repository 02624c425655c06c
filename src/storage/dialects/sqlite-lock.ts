import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite-errors.ts';

/**
 * How long one attempt at the lock may block the whole process, which SQLite's own waiting does.
 * Longer waits are cut into attempts, and other work goes on between them.
 */
export const attemptMs = 20;

/**
 * Repeats what found the file locked until it succeeds or `timeoutMs` have gone by. Nearly always
 * the first attempt does, and then nothing is to be waited for.
 */
export function patiently<T>(timeoutMs: number, attempt: () => T): T | Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!isBusy(error) || timeoutMs <= 0) throw error;
  }
  return tryAgain(timeoutMs, attempt);
}

/** The same after a first attempt that found the file locked. */
export async function tryAgain<T>(timeoutMs: number, attempt: () => T): Promise<T> {
  // Uneven pauses, so that two processes do not go on meeting each other.
  const pauseMs = 1 + Math.random() * attemptMs;
  await sleep(pauseMs);
  return patiently(timeoutMs - attemptMs - pauseMs, attempt);
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
