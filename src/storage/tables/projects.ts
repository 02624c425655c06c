import { ApiError } from '../../contract/errors.ts';
import type { Instant, Project, Store } from '../../core/ports.ts';
import type { At } from './at.ts';

export type ProjectRef = Parameters<Store['findProject']>[0];

const columns = ['key', 'org_id', 'project_id'] as const;

/** The oldest project that fits, which is the default one when nothing was asked for. */
export async function findProject({ db }: At, ref: ProjectRef): Promise<Project | null> {
  let projects = db.selectFrom('projects').select(columns);
  if (ref.org_id !== undefined) projects = projects.where('org_id', '=', ref.org_id);
  if (ref.project_id !== undefined) projects = projects.where('project_id', '=', ref.project_id);
  const row = await projects.orderBy('key').limit(1).executeTakeFirst();
  return row === undefined ? null : toProject(row);
}

export async function getProject({ db }: At, key: number): Promise<Project> {
  const project = db.selectFrom('projects').select(columns).where('key', '=', key);
  return toProject(await project.executeTakeFirstOrThrow());
}

export type NewProject = { org_id: string; project_id: string; now: Instant };

/** Finds the project, or makes it and its organization. */
export async function addProject(at: At, { now, ...ref }: NewProject): Promise<Project> {
  const existing = await findProject(at, { project_id: ref.project_id });
  if (existing?.org_id === ref.org_id) return existing;
  if (existing !== null) throw new ApiError('conflict', 'project_id is taken; choose another');
  await insertOrganization(at, { org_id: ref.org_id, now });
  return insertProject(at, { ...ref, now });
}

async function insertOrganization(
  { db }: At,
  { org_id, now }: { org_id: string; now: Instant },
): Promise<void> {
  await db
    .insertInto('organizations')
    .values({ org_id, name: org_id, created_at: now })
    .onConflict((conflict) => conflict.column('org_id').doNothing())
    .execute();
}

async function insertProject({ db }: At, { now, ...ref }: NewProject): Promise<Project> {
  const row = await db
    .insertInto('projects')
    .values({ ...ref, name: ref.project_id, total_memories: 0, created_at: now })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toProject(row);
}

/** A plain object: a driver's rows have no prototype. */
function toProject({ key, org_id, project_id }: Project): Project {
  return { key, org_id, project_id };
}
