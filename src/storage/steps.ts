import type { Store, Tables } from '../core/ports/index.ts';
import { findAnswer } from './tables/answers.ts';
import type { At } from './tables/at.ts';
import { isDeliveryDue } from './tables/delivery-queue.ts';
import { findDueJob } from './tables/jobs.ts';

type Steps = Pick<Tables, 'jobs' | 'deliveries' | 'idempotencyKeys' | 'vectors'>;
type Parts = {
  /** Lets look without a transaction at what is anybody's. */
  read: <T>(look: (at: At) => Promise<T>) => Promise<T>;
  transaction: Store['transaction'];
};

/**
 * Steps that are whole by themselves, each in a transaction of its own. They look before they lock:
 * a worker without work and a request that came before must not keep others from writing.
 */
export function createSteps(tables: Tables, { read, transaction }: Parts): Steps {
  return {
    jobs: {
      ...tables.jobs,
      claim: async (lease) => {
        if ((await read((at) => findDueJob(at, lease.now))) === null) return null;
        return transaction((tx) => begin(tx, lease));
      },
      extendLease: (job, until) => transaction((tx) => tx.jobs.extendLease(job, until)),
      finish: (job) => transaction((tx) => tx.jobs.finish(job)),
      release: (job, run_at) => transaction((tx) => tx.jobs.release(job, run_at)),
      defer: (job, run_at) => transaction((tx) => tx.jobs.defer(job, run_at)),
      revokeLeases: (project, ids) => transaction((tx) => tx.jobs.revokeLeases(project, ids)),
    },
    deliveries: {
      ...tables.deliveries,
      claim: async (lease) => {
        if (!(await read((at) => isDeliveryDue(at, lease)))) return [];
        return transaction((tx) => tx.deliveries.claim(lease));
      },
      recordAttempt: (delivery, outcome) =>
        transaction((tx) => tx.deliveries.recordAttempt(delivery, outcome)),
    },
    vectors: {
      ...tables.vectors,
      openSpace: (space, now) => transaction((tx) => tx.vectors.openSpace(space, now)),
      completeSpace: (space) => transaction((tx) => tx.vectors.completeSpace(space)),
      restartSpace: (space) => transaction((tx) => tx.vectors.restartSpace(space)),
      deleteUnusedVectors: (before, limit) =>
        transaction((tx) => tx.vectors.deleteUnusedVectors(before, limit)),
      acquireLease: (space, lease) => transaction((tx) => tx.vectors.acquireLease(space, lease)),
      releaseLease: (space, owner) => transaction((tx) => tx.vectors.releaseLease(space, owner)),
      put: (space, embedded) => transaction((tx) => tx.vectors.put(space, embedded)),
    },
    idempotencyKeys: {
      ...tables.idempotencyKeys,
      reserve: async (answer) =>
        (await read((at) => findAnswer(at, answer.id))) ??
        transaction((tx) => tx.idempotencyKeys.reserve(answer)),
      complete: (id, answer) => transaction((tx) => tx.idempotencyKeys.complete(id, answer)),
      release: (answer) => transaction((tx) => tx.idempotencyKeys.release(answer)),
    },
  };
}

/** Claims a job, and with an add's first claim its event is RUNNING: one commit for both. */
async function begin(tx: Tables, lease: Parameters<Tables['jobs']['claim']>[0]) {
  const job = await tx.jobs.claim(lease);
  if (job?.kind === 'process_event' && job.attempts === 1) {
    const patch = { status: 'RUNNING', started_at: lease.now, updated_at: lease.now } as const;
    await tx.events.update(job.project, job.subject_id, patch);
  }
  return job;
}
