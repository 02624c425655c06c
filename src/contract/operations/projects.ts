import * as z from 'zod';
import { type Operation, operation, type Route, type Tool } from '../operation.ts';
import { Description, DisplayName, Email, ListedMember, RoleField } from '../schemas/member.ts';
import {
  PartialProject,
  Project,
  ProjectSettings,
  projectSettings,
  unusedSettings,
} from '../schemas/project.ts';
import { NameList } from '../schemas/query-values.ts';
import { Id } from '../schemas/text.ts';

const org_id = Id.optional().describe('Organization');
const ProjectRefInput = z.object({
  org_id,
  project_id: Id.describe('Project'),
});
const MessageOutput = z.object({ message: z.string() });
const changeableFields = ['name', 'description', ...Object.keys(projectSettings)];
const projectErrors: Operation['errorMessages'] = {
  not_found: 'Organization or project not found',
  forbidden: 'Unauthorized to modify this project',
};

/** Both published forms of a path of one project. */
function projectRoutes(
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

export function projectTool(action: string, fields: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage projects',
    description: 'Manage projects, their settings and members.',
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
    description:
      "Creates a project in the organization `org_id`, by default the caller's only one.",
    scope: 'projects:write',
    subject: 'organization',
    routes: [
      {
        method: 'POST',
        path: '/api/v1/orgs/organizations/{org_id}/projects/',
        carries: 'body',
      },
      { method: 'POST', path: '/v1/orgs/{org_id}/projects/', carries: 'body' },
      { method: 'POST', path: '/v1/projects/', carries: 'body' },
    ],
    status: 200,
    input: z.object({
      org_id,
      name: DisplayName,
      description: Description.optional().describe('Description'),
    }),
    output: MessageOutput.extend({ project_id: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: {
      invalid: 'Project could not be created',
      not_found: 'Organization not found',
      forbidden: 'Unauthorized to create projects in this organization',
    },
    tool: projectTool('create', ['org_id', 'name', 'description'], { idempotent: false }),
  }),

  list_projects: operation({
    summary: 'List projects',
    description:
      'Lists the projects that the caller can access in the organization `org_id`, by default ' +
      "the caller's only one.",
    scope: 'projects:read',
    subject: 'organization',
    routes: [
      { method: 'GET', path: '/api/v1/orgs/organizations/{org_id}/projects/', carries: 'query' },
      { method: 'GET', path: '/v1/orgs/{org_id}/projects/', carries: 'query' },
      { method: 'GET', path: '/v1/projects/', carries: 'query' },
    ],
    status: 200,
    input: z.object({ org_id }),
    output: z.object({ results: z.array(Project) }),
    publishedKey: 'results',
    errors: ['invalid', 'not_found'],
    errorMessages: { not_found: 'Organization not found' },
    tool: projectTool('list', ['org_id']),
  }),

  get_project: operation({
    summary: 'Get a project',
    description: 'Returns one project with its settings and members.',
    scope: 'projects:read',
    routes: projectRoutes('GET'),
    status: 200,
    input: ProjectRefInput.extend({ fields: NameList.optional().describe('Fields to return') }),
    output: PartialProject,
    errors: ['invalid', 'not_found'],
    errorMessages: projectErrors,
    tool: projectTool('get', ['project_id']),
  }),

  update_project: operation({
    summary: 'Update a project',
    description: 'Changes the settings that are sent; the others stay.',
    scope: 'projects:write',
    routes: projectRoutes('PATCH', '', 'body'),
    status: 200,
    input: ProjectRefInput.extend({
      name: DisplayName.optional(),
      description: Description.optional(),
    })
      .extend(ProjectSettings.partial().shape)
      .extend(unusedSettings)
      .refine((input) => Object.keys(input).some((key) => !key.endsWith('_id')), {
        path: ['name'],
        message: `nothing to update: send one of ${changeableFields.join(', ')}`,
      }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: projectErrors,
    tool: projectTool('update', ['project_id', 'custom_instructions', 'custom_categories'], {
      approval: approvalOfSettings,
    }),
  }),

  delete_project: operation({
    summary: 'Delete a project',
    description: 'Permanently deletes a project with its memories and everything else in it.',
    scope: 'projects:write',
    routes: projectRoutes('DELETE'),
    status: 200,
    input: ProjectRefInput,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: projectErrors,
    tool: projectTool('delete', ['project_id'], {
      destructive: true,
      confirm: () => ({}),
      forGood: true,
    }),
  }),

  list_project_members: operation({
    summary: 'List the members of a project',
    description: 'Lists the members of a project and the people invited, with their roles.',
    scope: 'projects:read',
    routes: projectRoutes('GET', 'members/'),
    status: 200,
    input: ProjectRefInput,
    output: z.object({ members: z.array(ListedMember) }),
    errors: ['invalid', 'not_found'],
    errorMessages: projectErrors,
    tool: projectTool('list_members', ['project_id']),
  }),

  add_project_member: operation({
    summary: 'Add a member to a project',
    description:
      'Adds the account with this e-mail address. Unless it shares an organization with the ' +
      'caller, it is only invited, and has no access until it accepts.',
    scope: 'projects:write',
    routes: projectRoutes('POST', 'members/', 'body'),
    status: 200,
    input: ProjectRefInput.extend({ email: Email, role: RoleField }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: projectErrors,
    tool: projectTool('add_member', ['project_id', 'email', 'role'], {
      approval: ({ email, role }) => `Let ${email} into the project as ${role}`,
    }),
  }),

  update_project_member: operation({
    summary: 'Change the role of a member of a project',
    description: "Changes a member's role in this project.",
    scope: 'projects:write',
    routes: projectRoutes('PUT', 'members/', 'body'),
    status: 200,
    input: ProjectRefInput.extend({ email: Email, role: RoleField }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: projectErrors,
    tool: projectTool('update_member', ['project_id', 'email', 'role'], {
      approval: ({ email, role }) => `Make ${email} ${role} of the project`,
    }),
  }),

  remove_project_member: operation({
    summary: 'Remove a member from a project',
    description: 'Removes a member from this project. Membership of the organization stays.',
    scope: 'projects:write',
    routes: projectRoutes('DELETE', 'members/'),
    status: 200,
    input: ProjectRefInput.extend({ email: Email }),
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: projectErrors,
    tool: projectTool('remove_member', ['project_id', 'email'], {
      destructive: true,
      approval: ({ email }) => `Remove ${email} from the project`,
    }),
  }),
};

const trustSettings = ['trust_min', 'review', 'quarantine_flagged'];

function approvalOfSettings(input: Readonly<Record<string, unknown>>): string | null {
  const changed = Object.entries(input).filter(([name]) => trustSettings.includes(name));
  if (changed.length === 0) return null;
  const settings = changed.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `Change which memories are trusted, ${settings.join(', ')}`;
}
