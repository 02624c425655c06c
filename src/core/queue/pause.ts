import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Between two of many transactions: this process does other things meanwhile, and one that waits
 * for the store finds it free, as it looks again every few milliseconds.
 */
export function yieldToWriters(): Promise<void> {
  return sleep(pauseMs);
}

const pauseMs = 10;
