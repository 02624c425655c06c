import * as z from 'zod';
import { type Operation, operation, type Route, type Tool } from '../operation.ts';
import { Description, DisplayName, Email, ListedMember, RoleField } from '../schemas/member.ts';
import { Organization } from '../schemas/organization.ts';
import { Id } from '../schemas/text.ts';

const org_id = Id.describe('Organization');
const OrganizationRefInput = z.object({ org_id });
const MessageOutput = z.object({ message: z.string() });
const organizationErrors: Operation['errorMessages'] = {
  not_found: 'Organization not found',
  forbidden: 'You are not permitted to change this organization',
};

/** Both published forms of a path of one organization. */
function organizationRoutes(
  method: Route['method'],
  rest: `${string}/` | '' = '',
  carries: Route['carries'] = 'query',
): Route[] {
  return [
    { method, path: `/api/v1/orgs/organizations/{org_id}/${rest}`, carries },
    { method, path: `/v1/orgs/{org_id}/${rest}`, carries },
  ];
}

function organizationTool(action: string, fields: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage organizations',
    description: 'Manage organizations and their members.',
    group: { name: 'manage_organization', action },
    toolsets: ['admin'],
    destructive: false,
    idempotent: true,
    fields,
    ...hints,
  };
}

export const organizations = {
  create_organization: operation({
    summary: 'Create an organization',
    description: 'Creates an organization, owned by its creator.',
    scope: 'organizations:write',
    subject: 'account',
    routes: [
      { method: 'POST', path: '/api/v1/orgs/organizations/', carries: 'body' },
      { method: 'POST', path: '/v1/orgs/', carries: 'body' },
    ],
    status: 201,
    input: z.object({
      name: DisplayName,
      description: Description.optional().describe('Description'),
      address: Description.optional().describe('Address'),
      contact_email: Description.optional().describe('Contact'),
      phone_number: Description.optional().describe('Phone'),
      website: Description.optional().describe('Website'),
    }),
    output: MessageOutput.extend({ org_id: z.string() }),
    errors: ['invalid', 'forbidden'],
    tool: organizationTool('create', ['name'], { idempotent: false }),
  }),

  list_organizations: operation({
    summary: 'List organizations',
    description: 'Lists the organizations that the caller is a member of.',
    scope: 'organizations:read',
    subject: 'account',
    routes: [
      { method: 'GET', path: '/api/v1/orgs/organizations/', carries: 'query' },
      { method: 'GET', path: '/v1/orgs/', carries: 'query' },
    ],
    status: 200,
    input: z.object({}),
    output: z.object({ results: z.array(Organization) }),
    publishedKey: 'results',
    errors: ['invalid'],
    tool: organizationTool('list', []),
  }),

  get_organization: operation({
    summary: 'Get an organization',
    description: 'Returns one organization with its members.',
    scope: 'organizations:read',
    subject: 'organization',
    routes: organizationRoutes('GET'),
    status: 200,
    input: OrganizationRefInput,
    output: Organization,
    errors: ['invalid', 'not_found'],
    errorMessages: organizationErrors,
    tool: organizationTool('get', ['org_id']),
  }),

  delete_organization: operation({
    summary: 'Delete an organization',
    description: 'Permanently deletes an organization with its projects and their contents.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: organizationRoutes('DELETE'),
    status: 200,
    input: OrganizationRefInput,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: organizationErrors,
    tool: organizationTool('delete', ['org_id'], {
      destructive: true,
      confirm: () => null,
      forGood: true,
    }),
  }),

  list_organization_members: operation({
    summary: 'List the members of an organization',
    description: 'Lists the members of an organization and the people invited, with their roles.',
    scope: 'organizations:read',
    subject: 'organization',
    routes: organizationRoutes('GET', 'members/'),
    status: 200,
    input: OrganizationRefInput,
    output: z.object({ members: z.array(ListedMember) }),
    errors: ['invalid', 'not_found'],
    errorMessages: organizationErrors,
    tool: organizationTool('list_members', ['org_id']),
  }),

  add_organization_member: operation({
    summary: 'Add a member to an organization',
    description:
      'Adds the account with this e-mail address. Unless it shares an organization with the ' +
      'caller, it is only invited, and has no access until it accepts.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: organizationRoutes('POST', 'members/', 'body'),
    status: 201,
    input: OrganizationRefInput.extend({ email: Email, role: RoleField }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: organizationErrors,
    tool: organizationTool('add_member', ['org_id', 'email', 'role'], {
      approval: ({ email, role }) => `Let ${email} into the organization as ${role}`,
    }),
  }),

  update_organization_member: operation({
    summary: 'Change the role of a member of an organization',
    description: "Changes a member's role. The last owner cannot be demoted.",
    scope: 'organizations:write',
    subject: 'organization',
    routes: organizationRoutes('PUT', 'members/', 'body'),
    status: 200,
    input: OrganizationRefInput.extend({ email: Email, role: RoleField }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: organizationErrors,
    tool: organizationTool('update_member', ['org_id', 'email', 'role'], {
      approval: ({ email, role }) => `Make ${email} ${role} of the organization`,
    }),
  }),

  remove_organization_member: operation({
    summary: 'Remove a member from an organization',
    description:
      'Removes a member from the organization and its projects. The last owner cannot be removed.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: organizationRoutes('DELETE', 'members/'),
    status: 200,
    input: OrganizationRefInput.extend({ email: Email }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: organizationErrors,
    tool: organizationTool('remove_member', ['org_id', 'email'], {
      destructive: true,
      approval: ({ email }) => `Remove ${email} from the organization`,
    }),
  }),
};
