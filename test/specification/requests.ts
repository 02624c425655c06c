import * as z from 'zod';
import type { Fixture } from './fixture.ts';
import * as shapes from './shapes.ts';

/** One request that the specification shows, with the answer that it promises. */
export type Row = {
  about: string;
  method: string;
  path: string;
  query?: (fixture: Fixture) => Record<string, string>;
  body?: (fixture: Fixture) => unknown;
  status: number;
  /** Null: the answer has no body. */
  shape: z.ZodType | null;
};

const turn = [{ role: 'user', content: 'Plays chess' }];
const member = () => ({ email: 'new@example.com', role: 'READER' });
const named = () => ({ name: 'New' });
const found = z.array(z.looseObject({ id: z.string(), memory: z.string(), score: z.number() }));
const schema = { type: 'object', properties: { name: { type: 'string' } } };
const made = shapes.message.extend({ id: z.guid() });
const byUser = ({ entity_id }: Fixture) => ({ filters: { user_id: entity_id } });
const tea = (fixture: Fixture) => ({ query: 'tea', ...byUser(fixture) });
const update = ({ memory_id }: Fixture) => ({ memories: [{ memory_id, text: 'Likes coffee' }] });
const ids = ({ memory_id }: Fixture) => ({ memory_ids: [memory_id] });
const rating = { feedback: 'NEGATIVE', feedback_reason: 'wrong' };
const exported = z.record(z.string(), z.unknown());
const hook = () => ({ url: 'https://example.com/', event_types: ['memory:add'], is_active: false });

const organization = '/api/v1/orgs/organizations/{org_id}';
const project = `${organization}/projects/{project_id}`;

/** Sections 4.1 to 4.6. */
export const detailed: readonly Row[] = [
  {
    about: 'add memories, as they are',
    method: 'POST',
    path: '/v1/memories/',
    body: () => ({ messages: turn, user_id: 'someone', infer: false }),
    status: 200,
    shape: shapes.listOf(shapes.writeResult),
  },
  {
    about: 'add memories, wrapped',
    method: 'POST',
    path: '/v1/memories/',
    body: () => ({
      messages: turn,
      agent_id: 'bot',
      infer: false,
      output_format: 'v1.1',
      version: 'v2',
    }),
    status: 200,
    shape: z.looseObject({ results: shapes.listOf(shapes.writeResult) }),
  },
  {
    about: 'add memories, later',
    method: 'POST',
    path: '/v1/memories/',
    body: () => ({ messages: turn, user_id: 'someone' }),
    status: 200,
    shape: shapes.listOf(z.looseObject({ status: z.literal('PENDING'), event_id: z.guid() })),
  },
  {
    about: 'list memories',
    method: 'POST',
    path: '/v2/memories/',
    body: byUser,
    status: 200,
    shape: z.looseObject({ results: shapes.listOf(shapes.listedMemory), total: z.literal(1) }),
  },
  {
    about: 'search memories',
    method: 'POST',
    path: '/v2/memories/search/',
    body: tea,
    status: 200,
    shape: found.min(1),
  },
  {
    about: 'get a memory',
    method: 'GET',
    path: '/v1/memories/{memory_id}/',
    status: 200,
    shape: shapes.memory,
  },
  {
    about: 'update a memory',
    method: 'PUT',
    path: '/v1/memories/{memory_id}/',
    body: () => ({ text: 'Likes coffee', metadata: { a: 1 } }),
    status: 200,
    shape: shapes.memory.extend({
      memory: z.literal('Likes coffee'),
      metadata: z.object({ a: z.literal(1) }),
    }),
  },
  {
    about: 'delete a memory',
    method: 'DELETE',
    path: '/v1/memories/{memory_id}/',
    status: 204,
    shape: null,
  },
  {
    about: 'delete memories by filter',
    method: 'DELETE',
    path: '/v1/memories/',
    query: ({ entity_id }) => ({ user_id: entity_id, metadata: '{}' }),
    status: 204,
    shape: null,
  },
  {
    about: 'get memories by query',
    method: 'GET',
    path: '/v1/memories/',
    query: ({ entity_id }) => ({ user_id: entity_id }),
    status: 200,
    shape: shapes.listOf(shapes.memory),
  },
  {
    about: 'update in a batch',
    method: 'PUT',
    path: '/v1/batch/',
    body: update,
    status: 200,
    shape: shapes.message,
  },
  {
    about: 'delete in a batch',
    method: 'DELETE',
    path: '/v1/batch/',
    body: ids,
    status: 200,
    shape: shapes.message,
  },
  {
    about: 'history of a memory',
    method: 'GET',
    path: '/v1/memories/{memory_id}/history/',
    status: 200,
    shape: shapes.listOf(shapes.historyEntry),
  },
  {
    about: 'rate a memory',
    method: 'POST',
    path: '/v1/feedback/',
    body: ({ memory_id }) => ({ memory_id, ...rating }),
    status: 200,
    shape: shapes.feedback,
  },
  {
    about: 'create an export',
    method: 'POST',
    path: '/v1/exports/',
    body: (fixture) => ({ schema, ...byUser(fixture) }),
    status: 201,
    shape: made,
  },
  {
    about: 'get an export',
    method: 'POST',
    path: '/v1/exports/get/',
    body: ({ memory_export_id }) => ({ memory_export_id }),
    status: 200,
    shape: exported,
  },
  {
    about: 'create an organization',
    method: 'POST',
    path: '/api/v1/orgs/organizations/',
    body: named,
    status: 201,
    shape: shapes.message.extend({ org_id: z.guid() }),
  },
  {
    about: 'list organizations',
    method: 'GET',
    path: '/api/v1/orgs/organizations/',
    status: 200,
    shape: shapes.listOf(shapes.organization),
  },
  {
    about: 'get an organization',
    method: 'GET',
    path: `${organization}/`,
    status: 200,
    shape: shapes.organization,
  },
  {
    about: 'list members of an organization',
    method: 'GET',
    path: `${organization}/members/`,
    status: 200,
    shape: shapes.organizationMembers,
  },
  {
    about: 'add a member to an organization',
    method: 'POST',
    path: `${organization}/members/`,
    body: member,
    status: 201,
    shape: shapes.message,
  },
  {
    about: 'delete an organization',
    method: 'DELETE',
    path: `${organization}/`,
    status: 200,
    shape: shapes.message,
  },
  {
    about: 'create a project',
    method: 'POST',
    path: `${organization}/projects/`,
    body: named,
    status: 200,
    shape: shapes.message.extend({ project_id: z.guid() }),
  },
  {
    about: 'list projects',
    method: 'GET',
    path: `${organization}/projects/`,
    status: 200,
    shape: shapes.listOf(shapes.project),
  },
  {
    about: 'get a project',
    method: 'GET',
    path: `${project}/`,
    status: 200,
    shape: shapes.project,
  },
  {
    about: 'list members of a project',
    method: 'GET',
    path: `${project}/members/`,
    status: 200,
    shape: shapes.projectMembers,
  },
  {
    about: 'add a member to a project',
    method: 'POST',
    path: `${project}/members/`,
    body: member,
    status: 200,
    shape: shapes.message,
  },
  {
    about: 'delete a project',
    method: 'DELETE',
    path: `${project}/`,
    status: 200,
    shape: shapes.message,
  },
  {
    about: 'list entities',
    method: 'GET',
    path: '/v1/entities/',
    status: 200,
    shape: shapes.listOf(shapes.entity),
  },
  {
    about: 'delete an entity',
    method: 'DELETE',
    path: '/v2/entities/{entity_type}/{entity_id}/',
    status: 204,
    shape: null,
  },
  {
    about: 'list events',
    method: 'GET',
    path: '/v1/events/',
    status: 200,
    shape: shapes.events,
  },
  {
    about: 'get an event',
    method: 'GET',
    path: '/v1/event/{event_id}/',
    status: 200,
    shape: shapes.event,
  },
  {
    about: 'create a webhook',
    method: 'POST',
    path: '/api/v1/webhooks/projects/{project_id}/',
    body: hook,
    status: 201,
    shape: shapes.webhook.extend({ is_active: z.literal(false) }),
  },
  {
    about: 'list webhooks',
    method: 'GET',
    path: '/api/v1/webhooks/projects/{project_id}/',
    status: 200,
    shape: shapes.listOf(shapes.webhook),
  },
  {
    about: 'update a webhook',
    method: 'PUT',
    path: '/api/v1/webhooks/{webhook_id}/',
    body: () => ({ name: 'New', url: 'https://example.com/new', event_types: ['memory:delete'] }),
    status: 200,
    shape: shapes.message,
  },
  {
    about: 'delete a webhook',
    method: 'DELETE',
    path: '/api/v1/webhooks/{webhook_id}/',
    status: 200,
    shape: shapes.message,
  },
];

/** A row of the second listing: the same operation on another path. */
function also(method: string, path: string, about: string, changes: Partial<Row> = {}): Row {
  const row = detailed.find((one) => one.about === about);
  if (row === undefined) throw new Error(`no row is about: ${about}`);
  const { body, ...rest } = row;
  return { ...rest, ...(body && method !== 'GET' && { body }), method, path, ...changes };
}

/** Section 4.7, as far as its paths differ. */
export const alternate: readonly Row[] = [
  also('POST', '/v1/memories/search/', 'search memories'),
  also('POST', '/v1/memories/export/', 'create an export'),
  also('GET', '/v1/memories/export/{memory_export_id}/', 'get an export'),
  also('POST', '/v1/memories/batch/update/', 'update in a batch'),
  also('POST', '/v1/memories/batch/delete/', 'delete in a batch'),
  also('POST', '/v1/memories/{memory_id}/feedback/', 'rate a memory', { body: () => rating }),
  also('GET', '/v1/events/{event_id}/', 'get an event'),
  also('GET', '/v1/entities/users/', 'list entities'),
  also('DELETE', '/v1/entities/users/{entity_id}/', 'delete an entity'),
  also('POST', '/v1/orgs/', 'create an organization'),
  also('GET', '/v1/orgs/', 'list organizations'),
  also('GET', '/v1/orgs/{org_id}/', 'get an organization'),
  also('DELETE', '/v1/orgs/{org_id}/', 'delete an organization'),
  also('GET', '/v1/orgs/{org_id}/members/', 'list members of an organization'),
  also('POST', '/v1/orgs/{org_id}/members/', 'add a member to an organization'),
  also('POST', '/v1/orgs/{org_id}/projects/', 'create a project'),
  also('GET', '/v1/orgs/{org_id}/projects/', 'list projects'),
  also('GET', '/v1/projects/{project_id}/', 'get a project'),
  also('DELETE', '/v1/projects/{project_id}/', 'delete a project'),
  also('GET', '/v1/projects/{project_id}/members/', 'list members of a project'),
  also('POST', '/v1/projects/{project_id}/members/', 'add a member to a project'),
  also('POST', '/v1/webhooks/', 'create a webhook', {
    body: ({ project_id }) => ({ ...hook(), project_id }),
  }),
  also('GET', '/v1/webhooks/{webhook_id}/', 'list webhooks', { shape: shapes.webhook }),
  also('PUT', '/v1/webhooks/{webhook_id}/', 'update a webhook'),
  also('DELETE', '/v1/webhooks/{webhook_id}/', 'delete a webhook'),
];
