import { setTimeout as sleep } from 'node:timers/promises';

/** When it is looked whether there is something to do. */
export type TaskSchedule = { firstMs: number; everyMs: number };

export type PeriodicTask = { stop(): Promise<void> };

/** Looks now and then until it is stopped. `keep` ends early when the signal is aborted. */
export function startPeriodicTask(
  keep: (signal: AbortSignal) => Promise<void>,
  { firstMs, everyMs }: TaskSchedule,
): PeriodicTask {
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepOn = async () => {
    for (let pauseMs = firstMs; ; pauseMs = everyMs) {
      await abortableSleep(pauseMs, signal);
      if (signal.aborted) return;
      await keep(signal);
    }
  };
  const kept = keepOn();
  return {
    stop: async () => {
      stopping.abort();
      await kept;
    },
  };
}

/** Over at once when the signal is aborted, and no reason for a process to stay. */
export async function abortableSleep(pauseMs: number, signal: AbortSignal): Promise<void> {
  await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {});
}
