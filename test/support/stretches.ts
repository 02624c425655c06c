/** What a work took of the processor, in milliseconds, and the longest part that nobody shared. */
export type Stretches = { longest: number; total: number };

/** In processor time, so that other programs do not count. */
export async function stretchesOf(work: () => Promise<unknown>): Promise<Stretches> {
  let longest = 0;
  const begin = process.cpuUsage();
  let last = begin;
  const look = () => {
    longest = Math.max(longest, milliseconds(process.cpuUsage(last)));
    last = process.cpuUsage();
  };
  const others = setInterval(look, 0);
  try {
    await work();
  } finally {
    clearInterval(others);
    look();
  }
  return { longest, total: milliseconds(process.cpuUsage(begin)) };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
