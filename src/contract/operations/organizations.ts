import * as z from 'zod';
import { type Operation, operation, type Route, type Tool } from '../operation.ts';
import { About, Email, Member, Name, RoleField } from '../schemas/account.ts';
import { Organization } from '../schemas/organization.ts';
import { Id } from '../schemas/text.ts';

const org_id = Id.describe('Organization');
const OrgRef = z.object({ org_id });
const Message = z.object({ message: z.string() });
const refusals: Operation['refusals'] = {
  not_found: 'Organization not found',
  forbidden: 'You are not permitted to change this organization',
};

/** Both published forms of a path below one organization. */
function under(
  method: Route['method'],
  rest: `${string}/` | '' = '',
  carries: Route['carries'] = 'query',
): Route[] {
  return [
    { method, path: `/api/v1/orgs/organizations/{org_id}/${rest}`, carries },
    { method, path: `/v1/orgs/{org_id}/${rest}`, carries },
  ];
}

function tool(action: string, fields: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage organizations',
    about: 'Organizations and their members',
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
    description: 'Makes an organization; its maker owns it.',
    scope: 'organizations:write',
    subject: 'account',
    routes: [
      { method: 'POST', path: '/api/v1/orgs/organizations/', carries: 'body' },
      { method: 'POST', path: '/v1/orgs/', carries: 'body' },
    ],
    status: 201,
    input: z.object({
      name: Name,
      description: About.optional().describe('About it'),
      address: About.optional().describe('Address'),
      contact_email: About.optional().describe('Contact'),
      phone_number: About.optional().describe('Phone'),
      website: About.optional().describe('Website'),
    }),
    output: Message.extend({ org_id: z.string() }),
    errors: ['invalid', 'forbidden'],
    tool: tool('create', ['name'], { idempotent: false }),
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
    publishes: 'results',
    errors: ['invalid'],
    tool: tool('list', []),
  }),

  get_organization: operation({
    summary: 'Get an organization',
    description: 'Answers one organization with its members.',
    scope: 'organizations:read',
    subject: 'organization',
    routes: under('GET'),
    status: 200,
    input: OrgRef,
    output: Organization,
    errors: ['invalid', 'not_found'],
    refusals,
    tool: tool('get', ['org_id']),
  }),

  delete_organization: operation({
    summary: 'Delete an organization',
    description: 'Deletes an organization for good, with its projects and all they hold.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: under('DELETE'),
    status: 200,
    input: OrgRef,
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    refusals,
    tool: tool('delete', ['org_id'], { destructive: true, confirm: () => null }),
  }),

  list_organization_members: operation({
    summary: 'List the members of an organization',
    description: 'Lists who belongs to an organization, and as what.',
    scope: 'organizations:read',
    subject: 'organization',
    routes: under('GET', 'members/'),
    status: 200,
    input: OrgRef,
    output: z.object({ members: z.array(Member) }),
    errors: ['invalid', 'not_found'],
    refusals,
    tool: tool('list_members', ['org_id']),
  }),

  add_organization_member: operation({
    summary: 'Add a member to an organization',
    description: 'Adds the account with this e-mail; an unknown one is invited.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: under('POST', 'members/', 'body'),
    status: 201,
    input: OrgRef.extend({ email: Email, role: RoleField }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    refusals,
    tool: tool('add_member', ['org_id', 'email', 'role']),
  }),

  update_organization_member: operation({
    summary: 'Change the role of a member of an organization',
    description: 'Changes a role; the last owner stays one.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: under('PUT', 'members/', 'body'),
    status: 200,
    input: OrgRef.extend({ email: Email, role: RoleField }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    refusals,
    tool: tool('update_member', ['org_id', 'email', 'role']),
  }),

  remove_organization_member: operation({
    summary: 'Remove a member from an organization',
    description: 'Removes a member from the organization and its projects; the last owner stays.',
    scope: 'organizations:write',
    subject: 'organization',
    routes: under('DELETE', 'members/'),
    status: 200,
    input: OrgRef.extend({ email: Email }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    refusals,
    tool: tool('remove_member', ['org_id', 'email'], { destructive: true }),
  }),
};
