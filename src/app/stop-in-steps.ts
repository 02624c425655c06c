type Stop = (() => unknown) | undefined;

/**
 * Stops the steps one after another, and the members of a step in parallel. If one fails, the
 * others are stopped all the same, and the first failure is thrown at the end.
 */
export function stopInSteps(steps: readonly (readonly Stop[])[]): () => Promise<void> {
  return async () => {
    const outcomes: PromiseSettledResult<unknown>[] = [];
    for (const step of steps) {
      outcomes.push(...(await Promise.allSettled(step.map(async (stop) => stop?.()))));
    }
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (failure?.status === 'rejected') throw failure.reason;
  };
}
