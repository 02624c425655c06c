import { ApiError, invalid } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { Role } from '../contract/schemas/member.ts';
import type { Caller } from '../contract.ts';
import { createAccessCache } from './access-cache.ts';
import type {
  AccountCall,
  OrganizationCall,
  ProjectCall,
  Store,
  StoredOrganization,
  StoredProject,
  Tables,
  TenantRef,
} from './ports/index.ts';
import { administersStore, memberAccountId } from './tenants/accounts.ts';
import { findDefaultProject } from './tenants/default-project.ts';
import { describeProjects, findNamedProject } from './tenants/named-project.ts';

type OperationAccess = Pick<Operation, 'scope' | 'role' | 'subject' | 'errorMessages'>;
type InputIds = Readonly<Record<string, unknown>>;
type TenantTables = Pick<
  Tables,
  'accounts' | 'projects' | 'organizations' | 'members' | 'webhooks'
>;
type AccessRequest = { input: InputIds; caller: Caller };
type ResolvedCall = AccountCall | OrganizationCall | ProjectCall;
/** Without a call, `missing` says what is missing and what to do, if the caller may know that. */
type Resolved = { call: ResolvedCall | null; missing?: Missing };
type Missing = { message: string; next: string };

/** Throws `not_found` or `forbidden` if a caller may not use an operation. */
export type Authorize = (
  operation: OperationAccess,
  request: AccessRequest,
) => Promise<ResolvedCall>;

/**
 * Decides whether a caller may use an operation on the resource that its input names. A missing
 * resource and a hidden one get the same error.
 */
export function createAuthorize(store: TenantTables & Pick<Store, 'version'>): Authorize {
  const remember = createAccessCache<Resolved>(store);

  return async (operation, request) => {
    const { subject = 'project' } = operation;
    const resolve = async (): Promise<Resolved> => {
      const bound = await bindToLock(request, store);
      if (!('caller' in bound)) return bound;
      const call = await resolveCall(operation, bound, store);
      return call === null && subject === 'project' ? resolveByName(bound, store) : { call };
    };
    const { call, missing } = await (subject === 'project'
      ? remember(request, resolve)
      : resolve());
    if (call === null) {
      const { message = notFoundMessage, next } = (request.caller.lock ? null : missing) ?? {};
      const hiddenMessage = operation.errorMessages?.not_found ?? message;
      throw new ApiError('not_found', hiddenMessage, next === undefined ? {} : { next });
    }
    checkRole(operation, call);
    return call;
  };
}

/** True if what the input names does not exist for any caller. */
export async function isSubjectGone(
  operation: OperationAccess,
  { input, caller }: AccessRequest,
  tables: TenantTables,
): Promise<boolean> {
  // Nothing is named that could be gone; the caller's own organization is found by its account.
  if (operation.subject === 'organization' && input.org_id === undefined) return false;
  const { org_id, project_id } = caller;
  const owner: Caller = { account_id: null, org_id, project_id, bound_to: null, read_only: false };
  if ((await resolveCall(operation, { input, caller: owner }, tables)) !== null) return false;
  const { project_id: name } = input;
  if (typeof name !== 'string') return true;
  const [named] = await tables.projects.listByName({ name }, 1);
  return named?.name !== name;
}

const notFoundMessage = 'organization or project not found';

function checkRole(
  { scope, role, errorMessages }: OperationAccess,
  call: AccountCall & { role?: Role },
): void {
  if (scope.endsWith(':write')) {
    if (call.caller.read_only) throw new ApiError('forbidden', 'this key may only read');
    if (call.role === 'READER') {
      throw new ApiError('forbidden', errorMessages?.forbidden ?? 'the role READER may only read');
    }
  }
  if (role !== undefined && role !== 'READER' && call.role !== role) {
    throw new ApiError('forbidden', errorMessages?.forbidden ?? `this needs the role ${role}`);
  }
}

/**
 * The request of a caller whose lock names a place: bound to it as by a key of it. An input that
 * names the same place in the same words names none, because the words may be a name.
 */
async function bindToLock(
  request: AccessRequest,
  tables: TenantTables,
): Promise<AccessRequest | Resolved> {
  const { caller, input } = request;
  const { org_id, project_id } = caller.lock ?? {};
  if (org_id === undefined && project_id === undefined) return request;
  const others = { ...input };
  if (input.org_id === org_id) delete others.org_id;
  if (input.project_id === project_id) delete others.project_id;
  if (project_id === undefined) {
    const isOutside = caller.bound_to !== null && caller.org_id !== org_id;
    if (isOutside || org_id === undefined) return { call: null };
    const bound = caller.bound_to === 'project' ? caller : boundTo(caller, { org_id });
    return { input: others, caller: bound };
  }
  const boundRequest = { caller, input: { org_id, project_id } };
  const call = await resolveCall({ scope: 'projects:read' }, boundRequest, tables);
  const resolved = call === null ? await resolveByName(boundRequest, tables) : { call };
  if (resolved.call === null || !('project' in resolved.call)) return resolved;
  return { input: others, caller: boundTo(caller, resolved.call.project) };
}

function boundTo(
  caller: Caller,
  { org_id, project_id = null }: { org_id: string; project_id?: string | null },
): Caller {
  const bound_to = project_id === null ? 'organization' : 'project';
  return { ...caller, org_id, project_id, bound_to };
}

async function resolveCall(
  { subject }: OperationAccess,
  { input, caller }: AccessRequest,
  tables: TenantTables,
): Promise<ResolvedCall | null> {
  switch (subject) {
    case 'account':
      return { caller };
    case 'store':
      if (await administersStore(caller, tables)) return { caller };
      throw new ApiError('forbidden', 'only the owner of the store, with a key for all of it');
    case 'organization':
      return organizationCall(await findOrganization(input, caller, tables), caller, tables);
    case 'webhook': {
      const owned = await tables.webhooks.findInAnyProject(String(input.webhook_id));
      if (owned === null) return null;
      const { org_id, project_id } = owned.project;
      return projectCall(await tables.projects.find({ org_id, project_id }), caller, tables);
    }
    default:
      return projectCall(await findProject(input, caller, tables), caller, tables);
  }
}

/** The project of the input, otherwise of the key or configuration, otherwise of the account. */
async function findProject(
  input: InputIds,
  caller: Caller,
  tables: TenantTables,
): Promise<StoredProject | null> {
  const place = namedPlace(input, caller);
  if (Object.keys(place).length > 0) return tables.projects.find(place);
  if (caller.account_id === null) return tables.projects.find({});
  const project = await findDefaultProject(caller.account_id, tables);
  if (project === null) throw invalid('project_id', noDefaultProblem);
  return project;
}

function namedPlace(input: InputIds, caller: Caller): { org_id?: string; project_id?: string } {
  const isNamed = input.org_id !== undefined || input.project_id !== undefined;
  const { org_id, project_id } = isNamed ? input : caller;
  return {
    ...(typeof org_id === 'string' && { org_id }),
    ...(typeof project_id === 'string' && { project_id }),
  };
}

/**
 * For ids that name no project or a hidden one: looks for the name among those that the caller may
 * see, so that the answer says nothing about others.
 */
async function resolveByName(
  { input, caller }: AccessRequest,
  tables: TenantTables,
): Promise<Resolved> {
  const { org_id, project_id = '' } = namedPlace(input, caller);
  const within = caller.bound_to === 'organization' ? caller.org_id : null;
  if (caller.bound_to === 'project') return { call: null };
  if (within !== null && (org_id ?? within) !== within) return missingOrganization;
  const account_id = memberAccountId(caller);
  const among = org_id ?? within;
  const { project, seen } = await findNamedProject(tables, {
    name: project_id,
    ...(among !== null && { org_id: among }),
    ...(account_id !== null && { account_id }),
  });
  const call = await projectCall(project, caller, tables);
  if (call !== null) return { call };
  if (org_id !== undefined && seen.length === 0) {
    const organizations = await tables.organizations.list(account_id);
    if (!organizations.some((one) => one.org_id === org_id)) return missingOrganization;
  }
  const next = `No project has this id or name. ${describeProjects(seen)} ${howToMake}`;
  return { call: null, missing: { message: 'project not found', next } };
}

const howToMake = 'create_project with a name makes one.';
const missingOrganization: Resolved = {
  call: null,
  missing: {
    message: 'organization not found',
    next: 'No organization has this id; list_organizations shows the ids.',
  },
};

/** The organization of the input, otherwise of the key or configuration, otherwise the only one. */
async function findOrganization(
  { org_id: named }: InputIds,
  caller: Caller,
  { organizations, projects }: TenantTables,
): Promise<StoredOrganization | null> {
  if (typeof named === 'string') return organizations.find(named);
  const { org_id, project_id } = caller;
  if (org_id !== null) return organizations.find(org_id);
  if (project_id !== null) {
    const project = await projects.find({ project_id });
    return project === null ? null : organizations.find(project.org_id);
  }
  const [only, ...others] = await organizations.list(memberAccountId(caller));
  if (only === undefined) throw invalid('org_id', 'this account has accepted no organization');
  if (others.length > 0) throw invalid('org_id', severalProblem([only, ...others]));
  return only;
}

function severalProblem(organizations: readonly StoredOrganization[]): string {
  const listed = organizations.slice(0, namedOrganizationsMax);
  const rest = organizations.length - listed.length;
  const names = listed.map(({ org_id, name }) => `${org_id} (${name})`).join(', ');
  return `must name one of several organizations: ${names}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** More are found by `list_organizations`. */
const namedOrganizationsMax = 10;

const noDefaultProblem =
  'name a project: this account has no default project, because it has not accepted any ' +
  'invitation to one';

async function projectCall(
  project: StoredProject | null,
  caller: Caller,
  tables: TenantTables,
): Promise<ProjectCall | null> {
  if (project === null || !isWithinBinding(caller, project)) return null;
  const { org_id, key: project_key } = project;
  const role = await roleIn({ org_id, project_key }, caller, tables);
  return role === null ? null : { caller, project, role };
}

async function organizationCall(
  organization: StoredOrganization | null,
  caller: Caller,
  tables: TenantTables,
): Promise<OrganizationCall | null> {
  // A key of one project must not see the other projects.
  if (organization === null || caller.bound_to === 'project') return null;
  if (!isWithinBinding(caller, organization)) return null;
  const place = { org_id: organization.org_id, project_key: null };
  const role = await roleIn(place, caller, tables);
  return role === null ? null : { caller, organization, role };
}

function isWithinBinding(
  { bound_to, org_id, project_id }: Caller,
  place: { org_id: string; project_id?: string },
): boolean {
  if (bound_to === 'organization') return place.org_id === org_id;
  return bound_to === null || place.project_id === project_id;
}

/**
 * A role in the organization holds in all its projects; one in the project adds to it. A member of
 * any project of an organization may read the organization.
 */
async function roleIn(
  place: TenantRef,
  { account_id, role: granted }: Caller,
  { members }: TenantTables,
): Promise<Role | null> {
  if (granted !== undefined) return granted;
  if (account_id === null) return 'OWNER';
  const { org_id, project_key } = place;
  const role = await members.findRole({ org_id, project_key: null }, account_id);
  if (role === 'OWNER') return role;
  if (project_key !== null) return (await members.findRole(place, account_id)) ?? role;
  if (role !== null) return role;
  const places = await members.listTenants(account_id);
  return places.some((other) => other.org_id === org_id) ? 'READER' : null;
}
