export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

/** The smallest value that so many percent of the values do not exceed. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const index = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1);
  return sorted[index] ?? Number.NaN;
}

/** What the work answers, and how many milliseconds it took. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}

/** Milliseconds by the clock, and of the processor: all threads of this process. */
export type Took = { ms: number; cpu_ms: number };

export async function took(work: () => Promise<unknown>): Promise<Took> {
  const before = process.cpuUsage();
  const { ms } = await timed(work);
  const { user, system } = process.cpuUsage(before);
  return { ms, cpu_ms: (user + system) / 1000 };
}
