import { type Expression, type Selectable, sql } from 'kysely';
import { entityIdField } from '../../contract/schemas/entity.ts';
import type { Instant, Job, JobTable, Project } from '../../core/ports.ts';
import type { Database } from '../dialects/dialect.ts';
import type { JobRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';
import { getProject } from './projects.ts';

export function createJobTable(at: At): JobTable {
  return {
    enqueue: (project, job) => enqueueJob(at, project, job),
    claim: (lease) => claimJob(at, lease),
    extend: (job, until) => extendLease(at, job, until),
    finish: (job) => finishJob(at, job),
    release: (job, run_at) => putBack(at, { job, run_at }),
    defer: (job, run_at) => deferJob(at, { job, run_at }),
    revoke: (project, subject_ids) => revokeLeases(at, project, subject_ids),
    count: () => countJobs(at),
    deleteByEntity: (project, type, id) => deleteJobs(at, project, { type, id }),
  };
}

type NewJob = Parameters<JobTable['enqueue']>[1];
type Lease = Parameters<JobTable['claim']>[0];

async function enqueueJob({ db }: At, project: Project, job: NewJob): Promise<void> {
  const free = { lease_owner: null, lease_until: null, attempts: 0, deferrals: 0 };
  await db
    .insertInto('jobs')
    .values({ ...job, ...free, project_key: project.key })
    .execute();
}

async function countJobs({ db }: At): Promise<number> {
  const { total } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The position of the job that a claim would get now. */
export async function findDueJob({ db }: At, now: Instant): Promise<number | null> {
  const row = await dueJobs(db, now).executeTakeFirst();
  return row?.position ?? null;
}

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
  const row = await at.db
    .updateTable('jobs')
    .set({ lease_owner: owner, lease_until: until, attempts: sql`attempts + 1` })
    .where('position', '=', position)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJob(row, { owner, project: await getProject(at, row.project_key) });
}

async function extendLease({ db }: At, job: Job, until: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ lease_until: until })
    .where('id', '=', job.id)
    .where('lease_owner', '=', job.lease_owner)
    .where('attempts', '=', job.attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function finishJob({ db }: At, job: Job): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('id', '=', job.id)
    .where('lease_owner', '=', job.lease_owner)
    .where('attempts', '=', job.attempts)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

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
  project: Project,
  subject_ids: readonly string[],
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ lease_owner: null, lease_until: null })
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('jobs.subject_id'), subject_ids))
    .execute();
}

async function deleteJobs({ db }: At, project: Project, { type, id }: EntityRef): Promise<void> {
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

function toJob(row: Selectable<JobRow>, of: { owner: string; project: Project }): Job {
  const { id, kind, subject_id, attempts, deferrals } = row;
  const { project, owner: lease_owner } = of;
  return { id, kind, subject_id, attempts, deferrals, project, lease_owner };
}
