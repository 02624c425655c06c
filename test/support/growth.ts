/** The most that twice the input may take: a little over twice, for the noise of measuring. */
export const growthMax = 2.5;

/** What is faster than this is not told apart from the noise, in milliseconds. */
const floorMs = 4;
const rounds = 12;

/**
 * How many times as long `large` takes as `small`, in processor time, so that other programs do not
 * count. Each counts with its best round, because noise only makes a round slower, and there are no
 * more rounds than it takes to pass. What is below the floor counts as taking that long. The time is
 * this process's own, unless another one's is read.
 */
export async function timesAsLong(
  small: () => unknown,
  large: () => unknown,
  cpuMs = ownCpuMs,
): Promise<number> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // What is compiled at first is not measured.
  await small();
  await large();
  for (let round = 0; round < rounds; round += 1) {
    least = Math.min(least, await cpuMs(small));
    most = Math.min(most, await cpuMs(large));
    if (most / Math.max(floorMs, least) <= growthMax) break;
  }
  return most / Math.max(floorMs, least);
}

async function ownCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
