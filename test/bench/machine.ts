import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { percentile, timed } from './statistics.ts';

/** What the machine can do at most, with nothing else in the way. */
export type Limits = {
  processor: string;
  /** Gigabytes a second that one thread copies; each is read and written. */
  copy_gb_s: number;
  /** How often a second a file of 4 kB is on the disk for certain. */
  fsyncs_s: number;
};

export async function measureMachine(folder: string): Promise<Limits> {
  const [processor] = cpus();
  return {
    processor: `${cpus().length} x ${processor?.model}`,
    copy_gb_s: await copyRate(),
    fsyncs_s: await fsyncRate(folder),
  };
}

const copyBytes = 256 * 1024 * 1024;

async function copyRate(): Promise<number> {
  const from = new Uint8Array(copyBytes).fill(1);
  const to = new Uint8Array(copyBytes);
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    times.push((await timed(async () => to.set(from))).ms);
  }
  return copyBytes / 1e6 / percentile(times, 1);
}

async function fsyncRate(folder: string): Promise<number> {
  const path = join(folder, 'fsync');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096);
  const times: number[] = [];
  for (let round = 0; round < 100; round += 1) {
    const { ms } = await timed(async () => {
      writeSync(file, page, 0, page.length, 0);
      fsyncSync(file);
    });
    times.push(ms);
  }
  closeSync(file);
  rmSync(path);
  return 1000 / percentile(times, 50);
}
