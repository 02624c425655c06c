import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { reasonOf } from '../../contract/errors.ts';
import type { Logger } from '../ports/index.ts';

/** A background worker. */
export type Worker = {
  /** Looks for work, because there may be some. */
  wake(): void;
  /** Takes no more work, and resolves when running work has ended. */
  stop(): Promise<void>;
};

export type WorkerPoolOptions = {
  /** What is worked on, for the log. */
  name: string;
  /** How many pieces of work may run at once. */
  concurrency: number;
  log: Logger;
  /** Claims one piece of work and returns how to do it; null if there is none. */
  claim: (stopping: AbortSignal) => Promise<(() => Promise<void>) | null>;
};

/**
 * Takes work in up to `concurrency` lanes. Each lane continues until there is no work; a lane that
 * found some starts the next, so that an idle store is polled by one lane only. It also polls at
 * intervals, because work of other processes may become due.
 */
export function createWorkerPool({ name, concurrency, log, claim }: WorkerPoolOptions): Worker {
  const stopping = new AbortController();
  const lanes = new Set<Promise<void>>();
  let woken = false;
  const takeNext = serialize(() => claim(stopping.signal));

  const wake = (): void => {
    woken = lanes.size >= concurrency;
    if (woken || stopping.signal.aborted) return;
    const lane = work().finally(() => {
      lanes.delete(lane);
      if (woken) wake();
    });
    lanes.add(lane);
  };
  const work = async (): Promise<void> => {
    try {
      for (;;) {
        // The store responds synchronously: without a pause, a full queue would keep requests
        // waiting.
        await turnOfOthers();
        if (stopping.signal.aborted) return;
        const run = await takeNext();
        if (run === null) return;
        wake();
        await run();
      }
    } catch (error) {
      // The store is unavailable (full disk, locked): the next poll tries again.
      log('warn', `work could not be claimed from ${name}`, { error: reasonOf(error) });
    }
  };
  const timer = setInterval(wake, pollIntervalMs);
  timer.unref();
  wake();

  return {
    wake,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}

const pollIntervalMs = 2_000;

/** Runs claims one after another, so that each sees what the ones before it took. */
function serialize<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}
