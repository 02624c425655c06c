import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { ApiError, errorCodeOf } from '../../contract/errors.ts';
import { dayMs } from '../../contract/wall-clock.ts';

/** How much of a transcript is stored. */
const TranscriptProgress = z.object({ next: z.int().min(0) });

/** Clients run several hooks of one conversation at almost the same time. */
const waitMaxMs = 120_000;
const pollMs = 200;

/** A lock older than this was left by a process that died. */
const lockAgeMaxMs = 30 * 60_000;

/** Progress of conversations without activity is deleted after this time. */
const progressTtlMs = 90 * dayMs;

/** The folder for the state of hooks. */
export function hooksFolder(data_dir: string): string {
  return join(data_dir, 'hooks');
}

/**
 * Runs the next piece of work on a transcript under a lock: `work` gets the position where the
 * last one ended and returns the new one. If it fails, nothing is recorded, so that the next run
 * repeats it.
 */
export async function advanceTranscript(
  { folder, transcript }: { folder: string; transcript: string },
  work: (from: number) => Promise<number>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(transcript).digest('hex').slice(0, 32);
  const file = join(folder, `${name}.json`);
  const unlock = await lock(`${file}.lock`);
  try {
    const next = await work(await readProgress(file));
    await writeFile(`${file}.draft`, JSON.stringify({ next }));
    await rename(`${file}.draft`, file);
    await removeExpired(folder);
  } finally {
    await unlock();
  }
}

async function readProgress(file: string): Promise<number> {
  try {
    return TranscriptProgress.parse(JSON.parse(await readFile(file, 'utf8'))).next;
  } catch {
    return 0; // First run, or a broken file: facts that are stored twice are recognized.
  }
}

async function lock(path: string): Promise<() => Promise<void>> {
  for (let elapsed = 0; elapsed <= waitMaxMs; elapsed += pollMs) {
    try {
      const handle = await open(path, 'wx');
      await handle.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isLockTaken(error)) throw error;
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > lockAgeMaxMs) await rm(path, { force: true });
      else await sleep(pollMs);
    }
  }
  throw new ApiError('unavailable', 'another process is storing this conversation');
}

function isLockTaken(error: unknown): boolean {
  return errorCodeOf(error) === 'EEXIST';
}

async function removeExpired(folder: string): Promise<void> {
  const limit = Date.now() - progressTtlMs;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < limit) await rm(file, { force: true });
  }
}
