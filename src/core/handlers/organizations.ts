import { ApiError } from '../../contract/errors.ts';
import type { organizations } from '../../contract/operations/organizations.ts';
import type { Role } from '../../contract/schemas/member.ts';
import type { Organization } from '../../contract/schemas/organization.ts';
import type { Caller } from '../../contract.ts';
import type { Account, Deps, Handlers, StoredOrganization, Tables } from '../ports/index.ts';
import {
  getCallingAccount,
  memberAccountId,
  toListedMember,
  toMember,
} from '../tenants/accounts.ts';
import { findDefaultProject } from '../tenants/default-project.ts';
import { addMember, isReaderEverywhere, removeMember, updateMember } from '../tenants/members.ts';
import { publicNumber } from '../tenants/public-number.ts';
import { hasRemainingProject } from '../tenants/remaining-projects.ts';

type OrganizationOperation = keyof typeof organizations;
type OrganizationMemberOperation = Extract<
  OrganizationOperation,
  `${string}_organization_member${'s' | ''}`
>;

export function createOrganizationHandlers(deps: Deps): Pick<Handlers, OrganizationOperation> {
  const { store, clock, ids } = deps;

  return {
    ...createOrganizationMemberHandlers(deps),

    create_organization: ({ name, ...about }, { caller }) =>
      store.transaction(async (tables) => {
        const { account_id } = await getCallingAccount(caller, tables);
        await checkMayMake(caller, account_id, tables);
        const now = clock.now();
        const org_id = ids.next();
        await tables.organizations.insert({
          ...emptyDetails,
          ...definedOnly(about),
          org_id,
          name,
          owner_id: account_id,
          created_at: now,
          updated_at: now,
        });
        const tenant = { org_id, project_key: null };
        await tables.members.put(tenant, { account_id, role: 'OWNER', now });
        return { message: 'Organization created successfully', org_id };
      }),

    list_organizations: async (_input, { caller }) => {
      if (caller.bound_to === 'project') return { results: [] };
      const who = await getViewer(store, caller);
      const all = await store.organizations.list(memberAccountId(caller));
      const seen = all.filter(({ org_id }) => caller.bound_to === null || org_id === caller.org_id);
      const results = seen.map((organization) => toOrganization(store, organization, who));
      return { results: await Promise.all(results) };
    },

    get_organization: async (_input, { organization, caller }) =>
      toOrganization(store, organization, await getViewer(store, caller)),

    delete_organization: (_input, { organization: { org_id } }) =>
      store.transaction(async (tables) => {
        await deleteWithProjects(tables, org_id);
        return { message: 'Organization deleted successfully' };
      }),
  };
}

async function checkMayMake(caller: Caller, account_id: string, tables: Tables): Promise<void> {
  if (caller.bound_to !== null) {
    throw new ApiError(
      'forbidden',
      'a key bound to a project or organization cannot create organizations',
    );
  }
  if (await isReaderEverywhere(account_id, tables)) {
    throw new ApiError('forbidden', 'this account may only read: it is READER everywhere');
  }
}

async function deleteWithProjects(tables: Tables, org_id: string): Promise<void> {
  if (!(await hasRemainingProject(tables, (project) => project.org_id === org_id))) {
    throw new ApiError('conflict', 'the only organization with a project cannot be deleted');
  }
  for (const project of await tables.projects.list(org_id)) {
    await tables.projects.delete(project);
  }
  await tables.members.deleteAll({ org_id, project_key: null });
  await tables.organizations.delete(org_id);
}

function createOrganizationMemberHandlers(deps: Deps): Pick<Handlers, OrganizationMemberOperation> {
  const { store } = deps;

  return {
    list_organization_members: async (_input, { organization: { org_id } }) => {
      const tenant = { org_id, project_key: null };
      const members = await store.members.list(tenant);
      const invited = await store.members.list(tenant, 'invited');
      return { members: [...members, ...invited].map(toListedMember) };
    },

    add_organization_member: async ({ org_id, email, role }, { caller }) => {
      await addMember(deps, { place: { org_id, project_key: null }, email, role }, caller);
      return { message: 'Member added successfully' };
    },

    update_organization_member: async ({ org_id, email, role }) => {
      await updateMember(deps, { place: { org_id, project_key: null }, email, role });
      return { message: 'Member role updated successfully' };
    },

    remove_organization_member: async ({ org_id, email }) => {
      await removeMember(deps, { place: { org_id, project_key: null }, email });
      return { message: 'Member removed successfully' };
    },
  };
}

const emptyDetails = {
  description: '',
  address: '',
  contact_email: '',
  phone_number: '',
  website: '',
};

function definedOnly(about: Partial<Record<keyof typeof emptyDetails, string | undefined>>) {
  return Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
}

/** The caller that organizations are shown to. */
type OrganizationViewer = {
  account: Account;
  role: Role | undefined;
  default_org_id: string | undefined;
};

async function getViewer(tables: Tables, caller: Caller): Promise<OrganizationViewer> {
  const account = await getCallingAccount(caller, tables);
  const project = await findDefaultProject(account.account_id, tables);
  return { account, role: caller.role, default_org_id: project?.org_id };
}

async function toOrganization(
  tables: Tables,
  { number: _, owner_id, ...organization }: StoredOrganization,
  { account, role, default_org_id }: OrganizationViewer,
): Promise<Organization> {
  const members = await tables.members.list({ org_id: organization.org_id, project_key: null });
  const own = members.find(({ account_id }) => account_id === account.account_id);
  return {
    ...organization,
    id: publicNumber(organization.org_id),
    on_paid_plan: false,
    owner: publicNumber(owner_id),
    members: members.map(toMember),
    is_default: default_org_id === organization.org_id,
    is_owner: account.account_id === owner_id,
    user_role: role ?? own?.role ?? 'READER',
  };
}
