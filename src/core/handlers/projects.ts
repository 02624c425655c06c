import { ApiError } from '../../contract/errors.ts';
import type { projects } from '../../contract/operations/projects.ts';
import {
  defaultProjectSettings,
  type Project,
  type ProjectSettings,
  projectSettings,
} from '../../contract/schemas/project.ts';
import type { Parsed } from '../../contract.ts';
import type {
  Deps,
  Handlers,
  ProjectCall,
  StoredProject,
  Tables,
  TenantRef,
} from '../ports/index.ts';
import { memberAccountId, toListedMember, toMember } from '../tenants/accounts.ts';
import { addMember, removeMember, updateMember } from '../tenants/members.ts';
import { checkNameIsFree } from '../tenants/named-project.ts';
import { publicNumber } from '../tenants/public-number.ts';
import { hasRemainingProject } from '../tenants/remaining-projects.ts';

type ProjectOperation = keyof typeof projects;
type ProjectMemberOperation = Extract<ProjectOperation, `${string}_project_member${'s' | ''}`>;

export function createProjectHandlers(deps: Deps): Pick<Handlers, ProjectOperation> {
  const { store, clock, ids } = deps;

  return {
    ...createProjectMemberHandlers(deps),

    create_project: ({ name, description = '' }, { organization: { org_id } }) =>
      store.transaction(async (tables) => {
        await checkNameIsFree(tables, { org_id, name });
        const now = clock.now();
        const times = { created_at: now, updated_at: now };
        const settings = defaultProjectSettings;
        const project = { org_id, project_id: ids.next(), name, description, settings, ...times };
        const { project_id } = await tables.projects.insert(project);
        return { message: 'Project created successfully', project_id };
      }),

    list_projects: async (_input, { caller, organization: { org_id }, role }) => {
      const seen = await listVisibleProjects(store, org_id, memberAccountId(caller));
      const results = seen.map((project) => toProject(store, { project, role }));
      return { results: await Promise.all(results) };
    },

    get_project: async ({ fields }, call) => {
      const project = await toProject(store, call);
      if (fields === undefined) return project;
      const entries = Object.entries(project).filter(([name]) => fields.includes(name));
      return { ...Object.fromEntries(entries), id: project.id, project_id: project.project_id };
    },

    update_project: (input, { project }) =>
      store.transaction(async (tables) => {
        const changes = changedFields(input, project);
        if (changes !== null) {
          await checkRename(tables, project, changes.name);
          await tables.projects.update(project, { ...changes, updated_at: clock.now() });
        }
        return { message: 'Project updated successfully' };
      }),

    delete_project: (_input, { project }) =>
      store.transaction(async (tables) => {
        await deleteUnlessLast(tables, project);
        return { message: 'Project deleted successfully' };
      }),
  };
}

async function checkRename(tables: Tables, project: StoredProject, name = project.name) {
  if (name !== project.name) await checkNameIsFree(tables, { org_id: project.org_id, name });
}

async function deleteUnlessLast(tables: Tables, project: StoredProject): Promise<void> {
  if (!(await hasRemainingProject(tables, ({ key }) => key === project.key))) {
    throw new ApiError('conflict', 'the only project of a store cannot be deleted');
  }
  await tables.projects.delete(project);
}

/** The organization's projects that an account may see: all as its member, else its own places. */
async function listVisibleProjects(
  { projects, members }: Pick<Tables, 'projects' | 'members'>,
  org_id: string,
  account_id: string | null,
): Promise<StoredProject[]> {
  const all = await projects.list(org_id);
  if (account_id === null) return all;
  const role = await members.findRole({ org_id, project_key: null }, account_id);
  if (role !== null) return all;
  const places = await members.listTenants(account_id);
  return all.filter(({ key }) => places.some(({ project_key }) => project_key === key));
}

/** Null where nothing is named that this version keeps. */
function changedFields(
  { name, description, ...input }: Parsed<'update_project'>,
  { settings: current }: StoredProject,
) {
  const settings: Partial<ProjectSettings> = Object.fromEntries(
    Object.entries(input).filter(([key, value]) => key in projectSettings && value !== undefined),
  );
  const changes = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(Object.keys(settings).length > 0 && { settings: { ...current, ...settings } }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

function createProjectMemberHandlers(deps: Deps): Pick<Handlers, ProjectMemberOperation> {
  const { store } = deps;

  return {
    list_project_members: async (_input, { project }) => {
      const members = await listAllMembers(store, project);
      const invited = await store.members.list(tenantRefOf(project), 'invited');
      return { members: [...members, ...invited].map(toListedMember) };
    },

    add_project_member: async ({ email, role }, { project, caller }) => {
      await addMember(deps, { place: tenantRefOf(project), email, role }, caller);
      return { message: 'User added to the project successfully' };
    },

    update_project_member: async ({ email, role }, { project }) => {
      await updateMember(deps, { place: tenantRefOf(project), email, role });
      return { message: 'Member role updated successfully' };
    },

    remove_project_member: async ({ email }, { project }) => {
      await removeMember(deps, { place: tenantRefOf(project), email });
      return { message: 'Member removed successfully' };
    },
  };
}

function tenantRefOf({ org_id, key }: StoredProject): TenantRef {
  return { org_id, project_key: key };
}

/** Members of the organization, and of the project itself; the higher role of the two counts. */
async function listAllMembers({ members }: Pick<Tables, 'members'>, project: StoredProject) {
  const { org_id } = project;
  const inherited = await members.list({ org_id, project_key: null });
  const own = await members.list(tenantRefOf(project));
  const byAccount = new Map(inherited.map((member) => [member.account_id, member]));
  for (const member of own) {
    if (byAccount.get(member.account_id)?.role !== 'OWNER')
      byAccount.set(member.account_id, member);
  }
  return [...byAccount.values()];
}

async function toProject(
  tables: Tables,
  { project, role }: Pick<ProjectCall, 'project' | 'role'>,
): Promise<Project> {
  const { key, settings, ...stored } = project;
  const [first] = await tables.projects.list(project.org_id);
  return {
    ...stored,
    ...settings,
    id: publicNumber(project.project_id),
    members: (await listAllMembers(tables, project)).map(toMember),
    is_default: first?.key === key,
    user_role: role,
  };
}
