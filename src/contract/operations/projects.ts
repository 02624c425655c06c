import * as z from 'zod';
import { type Operation, operation, type Route, type Tool } from '../operation.ts';
import { About, Email, Member, Name, RoleField } from '../schemas/account.ts';
import { Names } from '../schemas/page.ts';
import {
  PartialProject,
  Project,
  ProjectSettings,
  projectSettings,
  unusedSettings,
} from '../schemas/project.ts';
import { Id } from '../schemas/text.ts';

const org_id = Id.describe('Organization');
const ProjectRef = z.object({
  org_id: org_id.optional(),
  project_id: Id.describe('Project'),
});
const Message = z.object({ message: z.string() });
const changeable = ['name', 'description', ...Object.keys(projectSettings)];
const refusals: Operation['refusals'] = {
  not_found: 'Organization or project not found',
  forbidden: 'Unauthorized to modify this project',
};

/** Both published forms of a path below one project. */
function under(
  method: Route['method'],
  rest: `${string}/` | '' = '',
  carries: Route['carries'] = 'query',
): Route[] {
  return [
    {
      method,
      path: `/api/v1/orgs/organizations/{org_id}/projects/{project_id}/${rest}`,
      carries,
    },
    { method, path: `/v1/projects/{project_id}/${rest}`, carries },
  ];
}

function tool(action: string, fields: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage projects',
    about: 'Projects, their settings and members',
    group: { name: 'manage_project', action },
    toolsets: ['admin'],
    destructive: false,
    idempotent: true,
    fields,
    ...hints,
  };
}

export const projects = {
  create_project: operation({
    summary: 'Create a project',
    description: 'Makes a project in an organization.',
    scope: 'projects:write',
    subject: 'organization',
    routes: [
      {
        method: 'POST',
        path: '/api/v1/orgs/organizations/{org_id}/projects/',
        carries: 'body',
      },
      { method: 'POST', path: '/v1/orgs/{org_id}/projects/', carries: 'body' },
    ],
    status: 200,
    input: z.object({
      org_id,
      name: Name,
      description: About.optional().describe('About it'),
    }),
    output: Message.extend({ project_id: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals: {
      invalid: 'Project could not be created',
      not_found: 'Organization not found',
      forbidden: 'Unauthorized to create projects in this organization',
    },
    tool: tool('create', ['org_id', 'name', 'description'], { idempotent: false }),
  }),

  list_projects: operation({
    summary: 'List projects',
    description: 'Lists the projects of an organization that the caller may see.',
    scope: 'projects:read',
    subject: 'organization',
    routes: [
      { method: 'GET', path: '/api/v1/orgs/organizations/{org_id}/projects/', carries: 'query' },
      { method: 'GET', path: '/v1/orgs/{org_id}/projects/', carries: 'query' },
    ],
    status: 200,
    input: z.object({ org_id }),
    output: z.object({ results: z.array(Project) }),
    publishes: 'results',
    errors: ['invalid', 'not_found'],
    refusals: { not_found: 'Organization not found' },
    tool: tool('list', ['org_id']),
  }),

  get_project: operation({
    summary: 'Get a project',
    description: 'Answers one project with its settings and members.',
    scope: 'projects:read',
    routes: under('GET'),
    status: 200,
    input: ProjectRef.extend({ fields: Names.optional().describe('Fields to return') }),
    output: PartialProject,
    errors: ['invalid', 'not_found'],
    refusals,
    tool: tool('get', ['project_id']),
  }),

  update_project: operation({
    summary: 'Update a project',
    description: 'Changes the settings that are sent and leaves the others.',
    scope: 'projects:write',
    routes: under('PATCH', '', 'body'),
    status: 200,
    input: ProjectRef.extend({ name: Name.optional(), description: About.optional() })
      .extend(ProjectSettings.partial().shape)
      .extend(unusedSettings)
      .refine((input) => Object.keys(input).some((key) => !key.endsWith('_id')), {
        path: ['name'],
        message: `nothing to update: send one of ${changeable.join(', ')}`,
      }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals,
    tool: tool('update', ['project_id', 'custom_instructions', 'custom_categories']),
  }),

  delete_project: operation({
    summary: 'Delete a project',
    description: 'Deletes a project for good, with its memories and all else that it holds.',
    scope: 'projects:write',
    routes: under('DELETE'),
    status: 200,
    input: ProjectRef,
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    refusals,
    tool: tool('delete', ['project_id'], { destructive: true, confirm: () => ({}) }),
  }),

  list_project_members: operation({
    summary: 'List the members of a project',
    description: 'Lists who may use a project, and as what.',
    scope: 'projects:read',
    routes: under('GET', 'members/'),
    status: 200,
    input: ProjectRef,
    output: z.object({ members: z.array(Member) }),
    errors: ['invalid', 'not_found'],
    refusals,
    tool: tool('list_members', ['project_id']),
  }),

  add_project_member: operation({
    summary: 'Add a member to a project',
    description: 'Adds the account with this e-mail; an unknown one is invited.',
    scope: 'projects:write',
    routes: under('POST', 'members/', 'body'),
    status: 200,
    input: ProjectRef.extend({ email: Email, role: RoleField }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    refusals,
    tool: tool('add_member', ['project_id', 'email', 'role']),
  }),

  update_project_member: operation({
    summary: 'Change the role of a member of a project',
    description: 'Changes what a member may do in this project.',
    scope: 'projects:write',
    routes: under('PUT', 'members/', 'body'),
    status: 200,
    input: ProjectRef.extend({ email: Email, role: RoleField }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals,
    tool: tool('update_member', ['project_id', 'email', 'role']),
  }),

  remove_project_member: operation({
    summary: 'Remove a member from a project',
    description: 'Takes away a place in this project; one in its organization stays.',
    scope: 'projects:write',
    routes: under('DELETE', 'members/'),
    status: 200,
    input: ProjectRef.extend({ email: Email }),
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals,
    tool: tool('remove_member', ['project_id', 'email'], { destructive: true }),
  }),
};
