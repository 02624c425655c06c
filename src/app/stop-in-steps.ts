type Stop = (() => unknown) | undefined;

/** Stops the steps one after another, and the members of a step in parallel. */
export function stopInSteps(steps: readonly (readonly Stop[])[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await Promise.all(step.map((stop) => stop?.()));
  };
}
