import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A pause between two of many transactions: this process does other work, and processes that wait
 * for the store, which retry every few milliseconds, find it free.
 */
export function yieldToWriters(): Promise<void> {
  return sleep(pauseMs);
}

const pauseMs = 10;
