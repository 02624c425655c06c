import { expect } from 'vitest';

/** What a script that uses the Python client knows when it makes a call. */
export type Known = {
  org_id: string;
  project_id: string;
  /** A memory of the user alice. */
  memory_id: string;
  /** Another one, to be deleted with those that were merged into it. */
  other_id: string;
  export_id: string;
  webhook_id: string;
};

/** One call of the Python client: the request that was recorded, and what its caller reads. */
export type Call = {
  call: string;
  method: string;
  path(known: Known): string;
  body?(known: Known): unknown;
  /** Where it is not 200. */
  status?: number;
  answer: unknown;
};

const message = { message: expect.any(String) };
const page = { count: expect.any(Number), next: null, previous: null };
const projectPath = ({ org_id, project_id }: Known) =>
  `/api/v1/orgs/organizations/${org_id}/projects/${project_id}/`;
const memoryPath = ({ memory_id }: Known) => `/v1/memories/${memory_id}/`;
const webhooksPath = ({ project_id }: Known) => `/api/v1/webhooks/projects/${project_id}/`;
const webhookPath = ({ webhook_id }: Known) => `/api/v1/webhooks/${webhook_id}/`;

/** Recorded from `mem0ai` 2.0.18, in an order in which a script may make them. */
export const calls: readonly Call[] = [
  {
    call: 'MemoryClient()',
    method: 'GET',
    path: () => '/v1/ping/',
    answer: {
      org_id: expect.any(String),
      project_id: expect.any(String),
      user_email: expect.stringContaining('@'),
    },
  },
  {
    call: 'add with all options',
    method: 'POST',
    path: () => '/v3/memories/add/',
    body: () => ({
      messages: [{ role: 'user', content: 'hello' }],
      user_id: 'alice',
      agent_id: 'a',
      app_id: 'p',
      run_id: 'r',
      metadata: { fooBar: 1 },
      infer: false,
      expiration_date: '2099-01-01',
      timestamp: 1_700_000_000,
      custom_categories: [{ x: 'y' }],
    }),
    answer: { results: [{ id: expect.any(String), event: 'ADD', memory: 'hello' }] },
  },
  {
    call: 'add with the entity in filters',
    method: 'POST',
    path: () => '/v3/memories/add/',
    body: () => ({ messages: [{ role: 'user', content: 'x' }], filters: { user_id: 'alice' } }),
    answer: { message: expect.any(String), status: 'PENDING', event_id: expect.any(String) },
  },
  {
    call: 'get',
    method: 'GET',
    path: memoryPath,
    answer: { id: expect.any(String), memory: expect.any(String), user_id: 'alice', metadata: {} },
  },
  {
    call: 'get_all with a page that is not there',
    method: 'POST',
    path: () => '/v3/memories/?page=2&page_size=5',
    body: () => ({
      filters: { user_id: 'alice' },
      show_expired: true,
      start_date: '2024-01-01',
      latest_only: true,
    }),
    status: 404,
    answer: { detail: 'Invalid page.' },
  },
  {
    call: 'get_all',
    method: 'POST',
    path: () => '/v3/memories/',
    body: () => ({ filters: { AND: [{ user_id: 'alice' }] } }),
    answer: { ...page, results: expect.arrayContaining([expect.any(Object)]) },
  },
  {
    call: 'search with all options',
    method: 'POST',
    path: () => '/v3/memories/search/',
    body: () => ({
      query: 'hello',
      filters: { user_id: 'alice' },
      top_k: 3,
      threshold: 0.1,
      rerank: true,
      keyword_search: true,
      fields: ['memory'],
      reference_date: '2026-01-01',
      metadata: { fooBar: 1 },
    }),
    answer: { results: [{ id: expect.any(String), memory: 'hello' }] },
  },
  {
    call: 'search in categories',
    method: 'POST',
    path: () => '/v3/memories/search/',
    body: () => ({ query: 'hello', filters: { user_id: 'alice' }, categories: ['a'] }),
    answer: { results: [] },
  },
  {
    call: 'update',
    method: 'PUT',
    path: memoryPath,
    body: () => ({ text: 't', metadata: { a: 1 }, expiration_date: null, timestamp: 5 }),
    answer: { id: expect.any(String), text: 't', memory: 't', metadata: { a: 1 } },
  },
  {
    call: 'history',
    method: 'GET',
    path: (known) => `${memoryPath(known)}history/`,
    answer: [{ event: 'ADD' }, { event: 'UPDATE', new_memory: 't' }],
  },
  {
    call: 'batch_update',
    method: 'PUT',
    path: () => '/v1/batch/',
    body: ({ memory_id }) => ({ memories: [{ memory_id, text: 'b', metadata: { a: 2 } }] }),
    answer: message,
  },
  {
    call: 'feedback',
    method: 'POST',
    path: () => '/v1/feedback/',
    body: ({ memory_id }) => ({ memory_id, feedback: 'POSITIVE', feedback_reason: 'r' }),
    answer: { id: expect.any(String), feedback: 'POSITIVE', feedback_reason: 'r' },
  },
  {
    call: 'get_summary',
    method: 'POST',
    path: () => '/v1/summary/',
    body: () => ({ filters: { user_id: 'alice' } }),
    answer: { summary: expect.any(String) },
  },
  {
    call: 'create_memory_export',
    method: 'POST',
    path: () => '/v1/exports/',
    body: () => ({
      schema: '{"type": "object"}',
      filters: { user_id: 'alice' },
      export_instructions: 'e',
      user_id: 'alice',
    }),
    status: 201,
    answer: { message: expect.any(String), id: expect.any(String) },
  },
  {
    call: 'get_memory_export by id',
    method: 'POST',
    path: () => '/v1/exports/get/',
    body: ({ export_id }) => ({ memory_export_id: export_id }),
    answer: {},
  },
  {
    call: 'get_memory_export of a user',
    method: 'POST',
    path: () => '/v1/exports/get/',
    body: () => ({ user_id: 'alice' }),
    answer: {},
  },
  {
    call: 'users',
    method: 'GET',
    path: () => '/v1/entities/',
    answer: {
      ...page,
      count: 5,
      results: expect.arrayContaining([expect.objectContaining({ type: 'user', name: 'alice' })]),
    },
  },
  {
    call: 'project.get',
    method: 'GET',
    path: (known) => `${projectPath(known)}?fields=custom_categories&fields=decay`,
    answer: { custom_categories: null, decay: false },
  },
  {
    call: 'get_project',
    method: 'GET',
    path: (known) =>
      `${projectPath(known)}?fields=name&org_id=${known.org_id}&project_id=${known.project_id}`,
    answer: { name: 'Default' },
  },
  {
    call: 'project.update',
    method: 'PATCH',
    path: projectPath,
    body: ({ org_id, project_id }) => ({
      custom_instructions: 'x',
      custom_categories: [{ a: 'b' }],
      decay: true,
      org_id,
      project_id,
    }),
    answer: { message: 'Project updated successfully' },
  },
  {
    call: 'project.create',
    method: 'POST',
    path: ({ org_id }) => `/api/v1/orgs/organizations/${org_id}/projects/`,
    body: () => ({ name: 'n', description: 'd' }),
    answer: { message: expect.any(String), project_id: expect.any(String) },
  },
  {
    call: 'project.get_members',
    method: 'GET',
    path: (known) => `${projectPath(known)}members/`,
    answer: { members: expect.any(Array) },
  },
  {
    call: 'project.add_member',
    method: 'POST',
    path: (known) => `${projectPath(known)}members/`,
    body: () => ({ email: 'x@y.zone', role: 'READER' }),
    answer: message,
  },
  {
    call: 'project.update_member',
    method: 'PUT',
    path: (known) => `${projectPath(known)}members/`,
    body: () => ({ email: 'x@y.zone', role: 'OWNER' }),
    answer: message,
  },
  {
    call: 'project.remove_member',
    method: 'DELETE',
    path: (known) => `${projectPath(known)}members/?email=x%40y.zone`,
    answer: message,
  },
  {
    call: 'create_webhook',
    method: 'POST',
    path: webhooksPath,
    body: () => ({ url: 'https://example.com/', name: 'n', event_types: ['memory_add'] }),
    status: 201,
    answer: { webhook_id: expect.any(String), event_types: ['memory_add'] },
  },
  {
    call: 'get_webhooks',
    method: 'GET',
    path: webhooksPath,
    answer: [{ webhook_id: expect.any(String), name: 'n' }],
  },
  {
    call: 'update_webhook',
    method: 'PUT',
    path: webhookPath,
    body: () => ({ name: 'n2', event_types: ['memory_delete'] }),
    answer: message,
  },
  { call: 'delete_webhook', method: 'DELETE', path: webhookPath, answer: message },
  {
    call: 'delete with linked ones',
    method: 'DELETE',
    path: ({ other_id }) => `/v1/memories/${other_id}/?delete_linked=true`,
    answer: message,
  },
  {
    call: 'delete_all by filters that Python printed, not JSON',
    method: 'DELETE',
    path: () => '/v1/memories/?filters=%7B%27user_id%27%3A+%27alice%27%7D',
    status: 400,
    answer: { detail: expect.stringContaining('filters') },
  },
  {
    call: 'batch_delete',
    method: 'DELETE',
    path: () => '/v1/batch/',
    body: ({ memory_id }) => ({ memories: [{ memory_id }] }),
    answer: message,
  },
  {
    call: 'delete of what is gone',
    method: 'DELETE',
    path: memoryPath,
    status: 404,
    answer: { detail: expect.stringMatching(/not found/i) },
  },
  {
    call: 'delete_all',
    method: 'DELETE',
    path: () => '/v1/memories/?user_id=alice&run_id=r',
    answer: message,
  },
  {
    call: 'delete_users of one whose id needs escaping',
    method: 'DELETE',
    path: () => '/v2/entities/user/al%20ice%2Fx/',
    answer: message,
  },
];
