import { ApiError } from '../../contract/errors.ts';
import type { Deps, Job } from '../ports/index.ts';
import { addMs } from './add-ms.ts';

type LeasedJob = { job: Job; lease_ms: number; signal: AbortSignal };

/**
 * Runs slow work on a job, such as a model's, and renews the lease so that no other process takes
 * the job. Work that loses its lease all the same is aborted.
 */
export async function runWithLease<T>(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { job, lease_ms, signal }: LeasedJob,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const renew = async () => {
    const until = addMs(clock.now(), lease_ms);
    const isOurs = await store.transaction((tables) => tables.jobs.extendLease(job, until));
    if (!isOurs) lost.abort(new ApiError('unavailable', 'another process took over the job'));
  };
  // If the store is busy or unavailable, the next renewal comes before the lease ends.
  const timer = setInterval(() => void renew().catch(() => {}), lease_ms / renewalsPerLease);
  timer.unref();
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}

const renewalsPerLease = 3;
