import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Logger } from '../ports/index.ts';

/** Something that works in the background. */
export type Worker = {
  /** There may be work now. */
  wake(): void;
  /** Takes no more work, and ends when what is at hand has ended. */
  stop(): Promise<void>;
};

export type WorkerPoolOptions = {
  /** What is worked on, for the log. */
  name: string;
  /** How many pieces of work may be at hand at once. */
  concurrency: number;
  log: Logger;
  /** Claims one piece of work and answers how to do it; null when there is none. */
  claim: (stopping: AbortSignal) => Promise<(() => Promise<void>) | null>;
};

/**
 * Takes work in up to `concurrency` lanes. Each lane goes on until there is no work; a lane that
 * found some opens the next, so that an idle store is asked by one lane only. Besides being woken
 * it looks for work at intervals: what another process left behind becomes due by itself.
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
        // The store answers at once, so that without a pause a queue keeps requests waiting.
        await turnOfOthers();
        if (stopping.signal.aborted) return;
        const run = await takeNext();
        if (run === null) return;
        wake();
        await run();
      }
    } catch (error) {
      // The store is away (full disk, locked): the next look tries again.
      const reason = error instanceof Error ? error.message : String(error);
      log('warn', `could not take work from ${name}`, { error: reason });
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

/** One claim after another: each knows what the ones before it took. */
function serialize<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}
