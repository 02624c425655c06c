import { type Expression, type Selectable, sql } from 'kysely';
import type { Instant, Job, JobTable, ProjectRef, Tables } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import { parametersOf, prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { JobRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { getProject } from '../tenants/projects.ts';

export const jobStatements: StatementsOf<JobTable> = {
  enqueue: { scope: 'project', run: enqueueJob, queuesWork: true },
  hasAny: { scope: 'project', run: hasAnyJob },
  claim: {
    scope: 'queue',
    run: claimJob,
    autocommit: {
      read: async (at, { now }) => ((await hasDueJob(at, now)) ? null : { answer: null }),
      write: claimAndMarkRunning,
    },
  },
  bringForward: {
    scope: 'queue',
    run: bringJobsForward,
    autocommit: {
      read: async (at, times) => ((await hasJobAhead(at, times)) ? null : { answer: undefined }),
    },
  },
  extendLease: { scope: 'job', run: extendLease, autocommit: true },
  finish: { scope: 'job', run: finishJob, autocommit: true },
  release: { scope: 'job', run: releaseJob, autocommit: true },
  defer: { scope: 'job', run: deferJob, autocommit: true },
  revokeLeases: { scope: 'project', run: revokeLeases, autocommit: true },
  count: { scope: 'queue', run: countJobs },
};

type NewJob = Parameters<JobTable['enqueue']>[1];
type JobLease = Parameters<JobTable['claim']>[0];

async function enqueueJob(at: DbContext, project: ProjectRef, job: NewJob): Promise<void> {
  const { id, kind, subject_id, run_at } = job;
  await insertJob(at, { id, kind, subject_id, run_at, project_key: project.key });
}

const insertJob = prepareStatement(
  (db, value: StatementParameters<NewJob & { project_key: number }>) => {
    const columns = ['id', 'kind', 'subject_id', 'run_at', 'project_key'] as const;
    const free = { lease_owner: null, lease_until: null, attempts: 0, deferrals: 0 };
    return db.insertInto('jobs').values({ ...parametersOf(columns, value), ...free });
  },
);

async function hasAnyJob(at: DbContext, { key }: ProjectRef): Promise<boolean> {
  return (await findAnyJob(at, { project_key: key })).length > 0;
}

const findAnyJob = prepareStatement((db, value: StatementParameters<{ project_key: number }>) =>
  db.selectFrom('jobs').select('position').where('project_key', '=', value('project_key')).limit(1),
);

async function countJobs({ db }: DbContext): Promise<number> {
  const { total } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** True if a claim would find something now. */
async function hasDueJob(at: DbContext, now: Instant): Promise<boolean> {
  return (await findDue(at, { now })).length > 0;
}

const findDue = prepareStatement((db, value: StatementParameters<{ now: Instant }>) =>
  dueJobs(db, value('now')),
);

function dueJobs(db: Database, now: Instant) {
  return db
    .selectFrom('jobs')
    .select('position')
    .where('run_at', '<=', now)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .orderBy('run_at')
    .orderBy('position')
    .limit(1);
}

async function claimJob(at: DbContext, lease: JobLease): Promise<Job | null> {
  const row = await at.dialect.skipLocked(dueJobs(at.db, lease.now)).executeTakeFirst();
  return row === undefined ? null : takeLease(at, { ...lease, position: row.position });
}

/** Claims a job; the first claim of an add also marks its event as RUNNING, in one commit. */
async function claimAndMarkRunning(tx: Tables, lease: JobLease): Promise<Job | null> {
  const job = await tx.jobs.claim(lease);
  if (job?.kind === 'process_event' && job.attempts === 1) {
    const patch = { status: 'RUNNING', started_at: lease.now, updated_at: lease.now } as const;
    await tx.events.update(job.project, job.subject_id, patch);
  }
  return job;
}

type JobTimes = Parameters<JobTable['bringForward']>[0];

async function bringJobsForward(
  { db }: DbContext,
  { now, until, latest_run, latest_leases }: JobTimes,
): Promise<void> {
  await db.updateTable('jobs').set({ run_at: now }).where('run_at', '>', latest_run).execute();
  for (const [index, latest] of latest_leases.entries()) {
    const isLast = index === latest_leases.length - 1;
    await db
      .updateTable('jobs')
      .set({ lease_until: until })
      .where('lease_until', '>', latest)
      .where('attempts', isLast ? '>=' : '=', index + 1)
      .execute();
  }
}

/** True if a time of a job is ahead of all that {@link bringJobsForward} leaves alone. */
async function hasJobAhead(
  { db }: DbContext,
  { latest_run, latest_leases: [latest_lease = latest_run] }: JobTimes,
): Promise<boolean> {
  const ahead = db
    .selectFrom('jobs')
    .select('position')
    .where((eb) => eb.or([eb('run_at', '>', latest_run), eb('lease_until', '>', latest_lease)]));
  return (await ahead.limit(1).executeTakeFirst()) !== undefined;
}

async function takeLease(
  at: DbContext,
  { position, owner, until }: JobLease & { position: number },
): Promise<Job> {
  const [job] = await leaseRow(at, { position, owner, until });
  if (job === undefined) throw new Error('a job that was found is gone');
  return toJob(job, { owner, project: await getProject(at, job.project_key) });
}

const leaseRow = prepareStatement(
  (db, value: StatementParameters<Pick<JobLease, 'owner' | 'until'> & { position: number }>) =>
    db
      .updateTable('jobs')
      .set({
        lease_owner: value('owner'),
        lease_until: value('until'),
        attempts: sql`attempts + 1`,
      })
      .where('position', '=', value('position'))
      .returningAll(),
);

async function extendLease(at: DbContext, job: Job, until: Instant): Promise<boolean> {
  return (await extendClaim(at, { ...claimFields(job), until })).length > 0;
}

async function finishJob(at: DbContext, job: Job): Promise<boolean> {
  return (await deleteClaimed(at, claimFields(job))).length > 0;
}

/** Identifies the holder of the last claim. */
type JobClaim = Pick<Job, 'id' | 'lease_owner' | 'attempts'>;

function claimFields({ id, lease_owner, attempts }: Job): JobClaim {
  return { id, lease_owner, attempts };
}

const extendClaim = prepareStatement(
  (db, value: StatementParameters<JobClaim & { until: Instant }>) =>
    db
      .updateTable('jobs')
      .set({ lease_until: value('until') })
      .where('id', '=', value('id'))
      .where('lease_owner', '=', value('lease_owner'))
      .where('attempts', '=', value('attempts'))
      .returning('id'),
);

const deleteClaimed = prepareStatement((db, value: StatementParameters<JobClaim>) =>
  db
    .deleteFrom('jobs')
    .where('id', '=', value('id'))
    .where('lease_owner', '=', value('lease_owner'))
    .where('attempts', '=', value('attempts'))
    .returning('id'),
);

/** The number of a claim is reused only when nobody can hold that claim any more. */
function deferJob(at: DbContext, job: Job, run_at: Instant): Promise<boolean> {
  const uncounted = { attempts: sql<number>`attempts - 1`, deferrals: sql<number>`deferrals + 1` };
  return returnToQueue(at, job, { run_at, ...uncounted });
}

function releaseJob(at: DbContext, job: Job, run_at: Instant): Promise<boolean> {
  return returnToQueue(at, job, { run_at });
}

async function returnToQueue(
  { db }: DbContext,
  job: Job,
  columns: { run_at: Instant; attempts?: Expression<number>; deferrals?: Expression<number> },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ ...columns, lease_owner: null, lease_until: null })
    .where('id', '=', job.id)
    .where('lease_owner', '=', job.lease_owner)
    .where('attempts', '=', job.attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function revokeLeases(
  { db, dialect }: DbContext,
  project: ProjectRef,
  subject_ids: readonly string[],
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ lease_owner: null, lease_until: null })
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('jobs.subject_id'), subject_ids))
    .execute();
}

function toJob(row: Selectable<JobRow>, of: { owner: string; project: ProjectRef }): Job {
  const { id, kind, subject_id, attempts, deferrals } = row;
  const { project, owner: lease_owner } = of;
  return { id, kind, subject_id, attempts, deferrals, project, lease_owner };
}
