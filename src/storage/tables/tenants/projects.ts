import { type Selectable, sql } from 'kysely';
import { ApiError } from '../../../contract/errors.ts';
import { defaultProjectSettings } from '../../../contract/schemas/project.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type {
  ProjectName,
  ProjectRef,
  ProjectTable,
  StoredProject,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import {
  preparePerColumnSet,
  prepareStatement,
  type StatementParameters,
} from '../../sql/prepared.ts';
import type { ProjectRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { deleteProject } from './delete-project.ts';

export const projectStatements: StatementsOf<ProjectTable> = {
  find: { scope: 'tenants', run: findProject },
  insert: { scope: 'tenants', run: insertProject },
  list: { scope: 'tenants', run: listProjects },
  listByName: { scope: 'tenants', run: listProjectsByName },
  update: { scope: 'tenants', run: updateProject },
  delete: { scope: 'project', run: deleteProject },
};

const columns = [
  'key',
  'org_id',
  'project_id',
  'name',
  'description',
  'settings',
  'created_at',
  'updated_at',
] as const;

/** The oldest matching project, which is the default project if none was named. */
export async function findProject(
  at: DbContext,
  { org_id, project_id }: Parameters<ProjectTable['find']>[0],
): Promise<StoredProject | null> {
  const [row] = await findRow(at, { org_id, project_id });
  return row === undefined ? null : toProject(row);
}

type ProjectNames = { org_id: string; project_id: string };

const findRow = preparePerColumnSet((db, value: StatementParameters<ProjectNames>, names) => {
  const projects = db.selectFrom('projects').select(columns);
  return names
    .reduce((among, name) => among.where(name, '=', value(name)), projects)
    .orderBy('key')
    .limit(1);
});

/** The existing projects among these keys, each as a request sees it. */
export async function findProjectsByKey(
  at: DbContext,
  keys: readonly number[],
): Promise<Map<number, ProjectRef>> {
  const projects = new Map<number, ProjectRef>();
  for (const key of new Set(keys)) {
    const [row] = await findByKey(at, { key });
    if (row !== undefined) projects.set(key, { ...row });
  }
  return projects;
}

const findByKey = prepareStatement((db, value: StatementParameters<{ key: number }>) =>
  db.selectFrom('projects').select(['key', 'org_id', 'project_id']).where('key', '=', value('key')),
);

export async function getProject(at: DbContext, key: number): Promise<ProjectRef> {
  const project = (await findProjectsByKey(at, [key])).get(key);
  if (project === undefined) throw new Error(`there is no project ${key}`);
  return project;
}

export async function insertProject(
  { db }: DbContext,
  { settings, ...project }: StrictOmit<StoredProject, 'key'>,
): Promise<StoredProject> {
  const row = await db
    .insertInto('projects')
    .values({ ...project, settings: toJson(settings), total_memories: 0 })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (row === undefined) throw new ApiError('conflict', 'project_id is taken; choose another');
  return toProject(row);
}

async function listProjects(at: DbContext, org_id: string): Promise<StoredProject[]> {
  return (await listRows(at, { org_id })).map(toProject);
}

const listRows = prepareStatement((db, value: StatementParameters<{ org_id: string }>) =>
  db.selectFrom('projects').select(columns).where('org_id', '=', value('org_id')).orderBy('key'),
);

export async function listProjectsByName(
  at: DbContext,
  { org_id, account_id, name }: ProjectName,
  limit: number,
): Promise<StoredProject[]> {
  return (await listRowsByName(at, { org_id, account_id, name, limit })).map(toProject);
}

type NameParameters = Required<ProjectName> & { limit: number };

const listRowsByName = preparePerColumnSet(
  (db, value: StatementParameters<NameParameters>, conditions) => {
    let projects = db.selectFrom('projects').select(columns);
    if (conditions.includes('org_id')) projects = projects.where('org_id', '=', value('org_id'));
    if (conditions.includes('account_id')) {
      projects = projects.where((eb) =>
        eb.exists(
          eb
            .selectFrom('members')
            .select('members.org_id')
            .whereRef('members.org_id', '=', 'projects.org_id')
            .where('members.account_id', '=', value('account_id'))
            .where('members.accepted_at', 'is not', null)
            .where((member) =>
              member.or([
                member('members.project_key', 'is', null),
                member('members.project_key', '=', member.ref('projects.key')),
              ]),
            ),
        ),
      );
    }
    return projects
      .orderBy(sql`case when name = ${value('name')} then 0 else 1 end`)
      .orderBy('key')
      .limit(value('limit'));
  },
);

async function updateProject(
  { db }: DbContext,
  project: ProjectRef,
  { settings, ...patch }: Parameters<ProjectTable['update']>[1],
): Promise<void> {
  await db
    .updateTable('projects')
    .set({ ...patch, ...(settings === undefined ? {} : { settings: toJson(settings) }) })
    .where('key', '=', project.key)
    .execute();
}

function toProject(row: Pick<Selectable<ProjectRow>, (typeof columns)[number]>): StoredProject {
  const settings = fromJson<Partial<StoredProject['settings']>>(row.settings);
  // Settings that are newer than the project have their defaults.
  return { ...row, settings: { ...defaultProjectSettings, ...settings } };
}
