/** Tells those who wait in this process which events have ended in it. */
export type CompletionSignal = {
  complete(event_id: string): void;
  /** Resolves when the event ends in this process, or after so many milliseconds at the latest. */
  waitFor(event_id: string, waitMs: number): Promise<void>;
};

export function createCompletionSignal(): CompletionSignal {
  const waiting = new Map<string, Set<() => void>>();

  return {
    complete: (event_id) => {
      for (const resume of waiting.get(event_id) ?? []) resume();
    },
    waitFor: (event_id, waitMs) =>
      new Promise((resolve) => {
        const all = waiting.get(event_id) ?? new Set();
        const resume = () => {
          clearTimeout(timer);
          all.delete(resume);
          if (all.size === 0) waiting.delete(event_id);
          resolve();
        };
        const timer = setTimeout(resume, waitMs);
        waiting.set(event_id, all.add(resume));
      }),
  };
}
