import { ApiError } from '../../contract/errors.ts';
import type { Deps, Job } from '../ports.ts';
import { failEvent, processEvent } from './process-event.ts';

export type Worker = {
  /** There may be work now. */
  wake(): void;
  /** Finishes the job at hand and takes no other. */
  stop(): Promise<void>;
};

export type WorkerOptions = {
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
  /** How long a claim keeps other processes away; then they take the work over. */
  lease_ms: number;
};

/**
 * Works off the queue, one job at a time and in order. Besides being woken it looks for work at
 * intervals, because a process that died leaves jobs whose lease runs out.
 */
export function createWorker(deps: Deps, options: WorkerOptions): Worker {
  const stopping = new AbortController();
  let working: Promise<void> | null = null;
  let woken = false;

  const wake = (): void => {
    woken = true;
    if (working !== null || stopping.signal.aborted) return;
    working = drain().finally(() => {
      working = null;
      if (woken) wake();
    });
  };
  const drain = async (): Promise<void> => {
    woken = false;
    try {
      while (!stopping.signal.aborted && (await workOnce(deps, options, stopping.signal)));
    } catch (error) {
      // The store is away (full disk, locked): the next look tries again.
      deps.log('warn', 'the queue could not be worked on', { error: messageOf(error) });
    }
  };
  const timer = setInterval(wake, lookIntervalMs);
  timer.unref();
  wake();

  return {
    wake,
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await working;
    },
  };
}

const lookIntervalMs = 2_000;
const attemptsMax = 5;
const backoffMs = 1_000;

/** Claims and carries out one job; false when there was none. */
async function workOnce(deps: Deps, options: WorkerOptions, signal: AbortSignal): Promise<boolean> {
  const now = deps.clock.now();
  const until = later(now, options.lease_ms);
  const job = await deps.store.jobs.claim({ owner: options.owner, now, until });
  if (job === null) return false;
  try {
    if (job.attempts > attemptsMax) throw new ApiError('internal', 'the process died each time');
    await processEvent(deps, job, signal);
  } catch (error) {
    await giveBack(deps, job, { error, stopping: signal.aborted });
  }
  return true;
}

async function giveBack(
  deps: Deps,
  job: Job,
  { error, stopping }: { error: unknown; stopping: boolean },
): Promise<void> {
  const reason = messageOf(error);
  deps.log('warn', 'a job failed', { event_id: job.subject_id, attempt: job.attempts, reason });
  if (job.attempts >= attemptsMax && !stopping) {
    await failEvent(deps, job, `gave up after ${job.attempts} attempts: ${publicReason(error)}`);
    return;
  }
  const run_at = later(deps.clock.now(), stopping ? 0 : backoffMs * 2 ** job.attempts);
  await deps.store.transaction(async (tables) => tables.jobs.release(job, run_at));
}

function later(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What callers may read: our own errors' words, nothing of a library's. */
function publicReason(error: unknown): string {
  return error instanceof ApiError ? error.message : 'internal error';
}
