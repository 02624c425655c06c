import type { CompletionSignal } from '../ports/index.ts';

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
