import { ApiError } from '../../contract/errors.ts';
import type { Deps, Job } from '../ports.ts';
import { createLanes, type Worker } from './lanes.ts';
import { later } from './later.ts';
import { failEvent, processEvent, type Work } from './process-event.ts';

export type { Worker } from './lanes.ts';

export type WorkerOptions = {
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
  /** How long a claim keeps other processes away; then they take the work over. */
  lease_ms: number;
  /** How many jobs may be at hand at once; one where absent. */
  concurrency?: number;
};

/** Works off the queue: jobs start in order, and hand back what `stop` interrupts. */
export function createWorker(deps: Deps, options: WorkerOptions): Worker {
  const { owner, lease_ms, concurrency = 1 } = options;
  // Jobs that could not be given back, because the store was away.
  const owed = new Set<Job>();
  return createLanes({
    name: 'the queue',
    concurrency,
    log: deps.log,
    take: async (stopping) => {
      const now = deps.clock.now();
      for (const job of owed) {
        await deps.store.jobs.defer(job, now);
        owed.delete(job);
      }
      const job = await deps.store.jobs.claim({ owner, now, until: later(now, lease_ms) });
      if (job === null) return null;
      const work = { lease_ms: leaseFor(job, lease_ms), signal: stopping };
      return () => carryOut(deps, job, { owed, ...work });
    },
  });
}

type Kind = {
  run: (deps: Deps, job: Job, work: Work) => Promise<void>;
  /** Settles what the job is about, with the reason, after its last attempt. */
  fail: (deps: Deps, job: Job, reason: string) => Promise<void>;
};

const kinds: Record<Job['kind'], Kind> = {
  process_event: { run: processEvent, fail: failEvent },
  // Loaded with the first one: few ask for exports.
  build_export: {
    run: async (...work) => (await import('./build-export.ts')).buildExport(...work),
    fail: async (...end) => (await import('./build-export.ts')).failExport(...end),
  },
};

const attemptsMax = 5;
const backoffMs = 1_000;

/**
 * A process that is killed says nothing about its job: a laptop was shut, a container replaced,
 * and the oldest job is the first that the next process takes. Only a job that may be what kills
 * them ends here.
 */
const claimsMax = 12;
const leaseDoublings = 6;

/** What is away for long is asked for about once a minute. */
const deferralMaxMs = 60_000;

async function carryOut(
  deps: Deps,
  job: Job,
  { owed, ...work }: Work & { owed: Set<Job> },
): Promise<void> {
  try {
    if (job.attempts > claimsMax) throw new ApiError('internal', 'the process died each time');
    await kinds[job.kind].run(deps, job, work);
  } catch (error) {
    try {
      await giveBack(deps, job, { error, stopping: work.signal.aborted });
    } catch (problem) {
      if (isUnavailable(problem)) owed.add(job);
      throw problem;
    }
  }
}

/** Each claim after the first holds twice as long: a job that kills does so ever less often. */
function leaseFor({ attempts }: Job, lease_ms: number): number {
  return lease_ms * 2 ** Math.min(attempts - 1, leaseDoublings);
}

/** What a stop interrupts, and what is away for the moment, are no faults of the job. */
async function giveBack(
  deps: Deps,
  job: Job,
  { error, stopping }: { error: unknown; stopping: boolean },
): Promise<void> {
  const { kind, subject_id, attempts, deferrals } = job;
  const reason = error instanceof Error ? error.message : String(error);
  deps.log('warn', 'a job failed', { kind, subject_id, attempt: attempts, reason });
  if (stopping || isUnavailable(error)) {
    const pauseMs = stopping ? 0 : Math.min(deferralMaxMs, backoffMs * 2 ** deferrals);
    const run_at = later(deps.clock.now(), pauseMs);
    await deps.store.transaction((tables) => tables.jobs.defer(job, run_at));
    return;
  }
  if (attempts >= attemptsMax) {
    const text = `gave up after ${attempts} attempts: ${publicReason(error)}`;
    await kinds[kind].fail(deps, job, text);
    return;
  }
  const run_at = later(deps.clock.now(), backoffMs * 2 ** attempts);
  await deps.store.transaction((tables) => tables.jobs.release(job, run_at));
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}

/** What callers may read: our own errors' words, nothing of a library's. */
function publicReason(error: unknown): string {
  return error instanceof ApiError ? error.elsewhere : 'internal error';
}
