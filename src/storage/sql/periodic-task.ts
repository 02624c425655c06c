import { setTimeout as sleep } from 'node:timers/promises';

/** When a task runs. */
export type TaskSchedule = { firstMs: number; everyMs: number };

export type PeriodicTask = { stop(): Promise<void> };

/** Runs the task at intervals until it is stopped. `keep` returns early when the signal aborts. */
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
  const runs = keepOn();
  return {
    stop: async () => {
      stopping.abort();
      await runs;
    },
  };
}

/** Resolves early when the signal aborts, and does not keep the process alive. */
export async function abortableSleep(pauseMs: number, signal: AbortSignal): Promise<void> {
  await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {});
}
