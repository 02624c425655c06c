import type { Store, Tables } from '../../core/ports/index.ts';
import type { DbContext } from '../sql/db-context.ts';
import { hasDeliveryAhead, isDeliveryDue } from '../tables/work/delivery-queue.ts';
import { findIdempotencyRecord } from '../tables/work/idempotency-keys.ts';
import { findDueJob, hasJobAhead } from '../tables/work/jobs.ts';

type AutocommitTables = Pick<
  Tables,
  'jobs' | 'deliveries' | 'idempotencyKeys' | 'vectors' | 'audit'
>;
type AutocommitOptions = {
  /** Reads shared data without a transaction. */
  read: <T>(look: (at: DbContext) => Promise<T>) => Promise<T>;
  transaction: Store['transaction'];
};

/**
 * Operations that each run in their own transaction. They read before they lock: a worker without
 * work or a repeated request must not block writers.
 */
export function createAutocommit(
  tables: Tables,
  { read, transaction }: AutocommitOptions,
): AutocommitTables {
  return {
    jobs: {
      ...tables.jobs,
      claim: async (lease) => {
        if ((await read((at) => findDueJob(at, lease.now))) === null) return null;
        return transaction((tx) => claimAndMarkRunning(tx, lease));
      },
      bringForward: async (times) => {
        if (!(await read((at) => hasJobAhead(at, times)))) return;
        await transaction((tx) => tx.jobs.bringForward(times));
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
      bringForward: async (times) => {
        if (!(await read((at) => hasDeliveryAhead(at, times)))) return;
        await transaction((tx) => tx.deliveries.bringForward(times));
      },
      recordAttempt: (delivery, outcome) =>
        transaction((tx) => tx.deliveries.recordAttempt(delivery, outcome)),
    },
    vectors: autocommitVectors(tables, transaction),
    audit: autocommitAudit(tables, transaction),
    idempotencyKeys: {
      ...tables.idempotencyKeys,
      reserve: async (answer) =>
        (await read((at) => findIdempotencyRecord(at, answer.id))) ??
        transaction((tx) => tx.idempotencyKeys.reserve(answer)),
      complete: (id, answer) => transaction((tx) => tx.idempotencyKeys.complete(id, answer)),
      release: (answer) => transaction((tx) => tx.idempotencyKeys.release(answer)),
    },
  };
}

/** Apart from the request: that a call was recorded does not mean that it wrote anything. */
function autocommitAudit(
  { audit }: Tables,
  transaction: Store['transaction'],
): AutocommitTables['audit'] {
  return {
    ...audit,
    append: (entry) => transaction((tx) => tx.audit.append(entry)),
    getSalt: (project, entity, fresh) =>
      transaction((tx) => tx.audit.getSalt(project, entity, fresh)),
  };
}

function autocommitVectors(
  tables: Tables,
  transaction: Store['transaction'],
): AutocommitTables['vectors'] {
  return {
    ...tables.vectors,
    openModel: (space, now) => transaction((tx) => tx.vectors.openModel(space, now)),
    markModelComplete: (space) => transaction((tx) => tx.vectors.markModelComplete(space)),
    restartModel: (space) => transaction((tx) => tx.vectors.restartModel(space)),
    deleteUnusedVectors: (before, limit) =>
      transaction((tx) => tx.vectors.deleteUnusedVectors(before, limit)),
    acquireLease: (space, lease) => transaction((tx) => tx.vectors.acquireLease(space, lease)),
    releaseLease: (space, owner) => transaction((tx) => tx.vectors.releaseLease(space, owner)),
    skipEmbedded: (space) => transaction((tx) => tx.vectors.skipEmbedded(space)),
    put: (space, embedded) => transaction((tx) => tx.vectors.put(space, embedded)),
  };
}

/** Claims a job; the first claim of an add also marks its event as RUNNING, in one commit. */
async function claimAndMarkRunning(tx: Tables, lease: Parameters<Tables['jobs']['claim']>[0]) {
  const job = await tx.jobs.claim(lease);
  if (job?.kind === 'process_event' && job.attempts === 1) {
    const patch = { status: 'RUNNING', started_at: lease.now, updated_at: lease.now } as const;
    await tx.events.update(job.project, job.subject_id, patch);
  }
  return job;
}
