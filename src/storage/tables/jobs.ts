import { type Expression, type Selectable, sql } from 'kysely';
import { entityIdField } from '../../contract/schemas/entity.ts';
import type { Instant, Job, JobTable, ProjectRef } from '../../core/ports/index.ts';
import type { Database } from '../dialects/dialect.ts';
import { prepared, row, type Values } from '../prepared.ts';
import type { JobRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';
import { getProject } from './projects.ts';

export function createJobTable(at: At): JobTable {
  return {
    enqueue: (project, job) => enqueueJob(at, project, job),
    hasAny: (project) => hasAnyJob(at, project),
    claim: (lease) => claimJob(at, lease),
    extendLease: (job, until) => extendLease(at, job, until),
    finish: (job) => finishJob(at, job),
    release: (job, run_at) => putBack(at, { job, run_at }),
    defer: (job, run_at) => deferJob(at, { job, run_at }),
    revokeLeases: (project, subject_ids) => revokeLeases(at, project, subject_ids),
    count: () => countJobs(at),
    deleteByEntity: (project, type, id) => deleteJobs(at, project, { type, id }),
  };
}

type NewJob = Parameters<JobTable['enqueue']>[1];
type Lease = Parameters<JobTable['claim']>[0];

async function enqueueJob(at: At, project: ProjectRef, job: NewJob): Promise<void> {
  const { id, kind, subject_id, run_at } = job;
  await insertJob(at, { id, kind, subject_id, run_at, project_key: project.key });
}

const insertJob = prepared((db, value: Values<NewJob & { project_key: number }>) => {
  const given = ['id', 'kind', 'subject_id', 'run_at', 'project_key'] as const;
  const free = { lease_owner: null, lease_until: null, attempts: 0, deferrals: 0 };
  return db.insertInto('jobs').values({ ...row(given, value), ...free });
});

async function hasAnyJob(at: At, { key }: ProjectRef): Promise<boolean> {
  return (await findAnyJob(at, { project_key: key })).length > 0;
}

const findAnyJob = prepared((db, value: Values<{ project_key: number }>) =>
  db.selectFrom('jobs').select('position').where('project_key', '=', value('project_key')).limit(1),
);

async function countJobs({ db }: At): Promise<number> {
  const { total } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The position of the job that a claim would get now. */
export async function findDueJob(at: At, now: Instant): Promise<number | null> {
  const [job] = await findDue(at, { now });
  return job?.position ?? null;
}

const findDue = prepared((db, value: Values<{ now: Instant }>) => dueJobs(db, value('now')));

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

async function claimJob(at: At, lease: Lease): Promise<Job | null> {
  const row = await at.dialect.unclaimed(dueJobs(at.db, lease.now)).executeTakeFirst();
  return row === undefined ? null : takeLease(at, { ...lease, position: row.position });
}

async function takeLease(
  at: At,
  { position, owner, until }: Lease & { position: number },
): Promise<Job> {
  const [job] = await leaseRow(at, { position, owner, until });
  if (job === undefined) throw new Error('a job that was found is gone');
  return toJob(job, { owner, project: await getProject(at, job.project_key) });
}

const leaseRow = prepared(
  (db, value: Values<Pick<Lease, 'owner' | 'until'> & { position: number }>) =>
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

async function extendLease(at: At, job: Job, until: Instant): Promise<boolean> {
  return (await extendClaim(at, { ...claimOf(job), until })).length > 0;
}

async function finishJob(at: At, job: Job): Promise<boolean> {
  return (await deleteClaimed(at, claimOf(job))).length > 0;
}

/** What only the holder of the last claim knows. */
type Claim = Pick<Job, 'id' | 'lease_owner' | 'attempts'>;

function claimOf({ id, lease_owner, attempts }: Job): Claim {
  return { id, lease_owner, attempts };
}

const extendClaim = prepared((db, value: Values<Claim & { until: Instant }>) =>
  db
    .updateTable('jobs')
    .set({ lease_until: value('until') })
    .where('id', '=', value('id'))
    .where('lease_owner', '=', value('lease_owner'))
    .where('attempts', '=', value('attempts'))
    .returning('id'),
);

const deleteClaimed = prepared((db, value: Values<Claim>) =>
  db
    .deleteFrom('jobs')
    .where('id', '=', value('id'))
    .where('lease_owner', '=', value('lease_owner'))
    .where('attempts', '=', value('attempts'))
    .returning('id'),
);

type Back = { job: Job; run_at: Instant };

/** The number of a claim is used again only when nobody can hold that claim any more. */
function deferJob(at: At, { job, run_at }: Back): Promise<boolean> {
  const uncounted = { attempts: sql<number>`attempts - 1`, deferrals: sql<number>`deferrals + 1` };
  return putBack(at, { job, run_at, ...uncounted });
}

async function putBack(
  { db }: At,
  { job, ...columns }: Back & Partial<Record<'attempts' | 'deferrals', Expression<number>>>,
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
  { db, dialect }: At,
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

async function deleteJobs({ db }: At, project: ProjectRef, { type, id }: EntityRef): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('project_key', '=', project.key)
    .where('kind', '=', 'process_event')
    .where('subject_id', 'in', (eb) =>
      eb
        .selectFrom('events')
        .select('events.id')
        .where('events.project_key', '=', project.key)
        .where(`events.${entityIdField(type)}`, '=', id),
    )
    .execute();
}

function toJob(row: Selectable<JobRow>, of: { owner: string; project: ProjectRef }): Job {
  const { id, kind, subject_id, attempts, deferrals } = row;
  const { project, owner: lease_owner } = of;
  return { id, kind, subject_id, attempts, deferrals, project, lease_owner };
}
