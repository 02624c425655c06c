import { ApiError, reasonOf } from '../../contract/errors.ts';
import type { Deps, Instant, Job } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { clockSkewMaxMs, createClockWatch } from '../queue/clock-watch.ts';
import { createWorkerPool, type Worker } from '../queue/worker-pool.ts';
import { failEvent, type JobRun, processEvent } from './process-event.ts';

export type { Worker } from '../queue/worker-pool.ts';

export type JobWorkerOptions = {
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
  /** How long a claim keeps other processes away; then they take the work over. */
  lease_ms: number;
  /** How many jobs may be at hand at once; one where absent. */
  concurrency?: number;
};

/** Works off the queue: jobs start in order, and hand back what `stop` interrupts. */
export function createJobWorker(deps: Deps, options: JobWorkerOptions): Worker {
  const { owner, lease_ms, concurrency = 1 } = options;
  // Jobs that could not be given back, because the store was away.
  const owed = new Set<Job>();
  const watchClock = createClockWatch((now) => bringForward(deps, now, lease_ms));
  return createWorkerPool({
    name: 'the queue',
    concurrency,
    log: deps.log,
    claim: async (stopping) => {
      const now = deps.clock.now();
      await watchClock(now);
      for (const job of owed) {
        await deps.store.jobs.defer(job, now);
        owed.delete(job);
      }
      const job = await deps.store.jobs.claim({ owner, now, until: addMs(now, lease_ms) });
      if (job === null) return null;
      const work = { lease_ms: leaseMsFor(job, lease_ms), signal: stopping };
      return () => runJob(deps, job, { owed, ...work });
    },
  });
}

type JobKindHandlers = {
  run: (deps: Deps, job: Job, work: JobRun) => Promise<void>;
  /** Settles what the job is about, with the reason, after its last attempt. */
  fail: (deps: Deps, job: Job, reason: string) => Promise<void>;
};

const jobKinds: Record<Job['kind'], JobKindHandlers> = {
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

/** A service that stays unavailable is tried about once a minute. */
const deferralMaxMs = 60_000;

/** No job waits longer than its longest pause, and no lease is longer than its claim allows. */
async function bringForward({ store }: Deps, now: Instant, lease_ms: number): Promise<void> {
  const after = (ms: number) => addMs(now, ms + clockSkewMaxMs);
  const claims = Array.from({ length: leaseDoublings + 1 }, (_, index) => index + 1);
  await store.jobs.bringForward({
    now,
    until: addMs(now, lease_ms),
    latest_run: after(deferralMaxMs),
    latest_leases: claims.map((attempts) => after(leaseMsFor({ attempts }, lease_ms))),
  });
}

async function runJob(
  deps: Deps,
  job: Job,
  { owed, ...work }: JobRun & { owed: Set<Job> },
): Promise<void> {
  try {
    if (job.attempts > claimsMax) throw new ApiError('internal', 'the process died each time');
    await jobKinds[job.kind].run(deps, job, work);
  } catch (error) {
    try {
      await returnJob(deps, job, { error, stopping: work.signal.aborted });
    } catch (problem) {
      if (isUnavailable(problem)) owed.add(job);
      throw problem;
    }
  }
}

/** Each claim after the first holds twice as long: a job that kills does so ever less often. */
function leaseMsFor({ attempts }: Pick<Job, 'attempts'>, lease_ms: number): number {
  return lease_ms * 2 ** Math.min(attempts - 1, leaseDoublings);
}

/** A stop, or a service that is unavailable, does not count as a failure of the job. */
async function returnJob(
  deps: Deps,
  job: Job,
  { error, stopping }: { error: unknown; stopping: boolean },
): Promise<void> {
  const { kind, subject_id, attempts, deferrals } = job;
  const reason = reasonOf(error);
  deps.log('warn', 'job failed', { kind, subject_id, attempt: attempts, reason });
  if (stopping || isUnavailable(error)) {
    const pauseMs = stopping ? 0 : Math.min(deferralMaxMs, backoffMs * 2 ** deferrals);
    const run_at = addMs(deps.clock.now(), pauseMs);
    await deps.store.transaction((tables) => tables.jobs.defer(job, run_at));
    return;
  }
  if (attempts >= attemptsMax) {
    const text = `gave up after ${attempts} attempts: ${publicReason(error)}`;
    await jobKinds[kind].fail(deps, job, text);
    return;
  }
  const run_at = addMs(deps.clock.now(), backoffMs * 2 ** attempts);
  await deps.store.transaction((tables) => tables.jobs.release(job, run_at));
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}

/** The reason that callers may read: messages of our own errors, but not those of libraries. */
function publicReason(error: unknown): string {
  return error instanceof ApiError ? error.elsewhere : 'internal error';
}
