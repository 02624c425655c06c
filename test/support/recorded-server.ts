import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Servers other than mneme, by what they support: the specification's detailed listing, its second
 * listing of paths, or the responses of the hosted platform to its official clients. Written from
 * the specification and from what those clients read, not from this program.
 */
export type Known = 'detailed' | 'alternate' | 'hosted';

export type Recorded = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
};

export type RecordedServer = { url: string; requests: Recorded[]; stop(): Promise<void> };

export const recordedKey = 'm0-recorded';

export const memoryId = '2f1b8c1e-5f0a-4f7e-9d55-7f4f0a6b1c01';
export const eventId = '2f1b8c1e-5f0a-4f7e-9d55-7f4f0a6b1c02';
export const exportId = '2f1b8c1e-5f0a-4f7e-9d55-7f4f0a6b1c03';
export const webhookId = '2f1b8c1e-5f0a-4f7e-9d55-7f4f0a6b1c04';

export async function startRecordedServer(known: Known): Promise<RecordedServer> {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    let text = '';
    for await (const part of request) text += part;
    const { method = '', headers } = request;
    const body = text === '' ? {} : JSON.parse(text);
    const received = { method, path: pathname, query: searchParams, headers, body };
    requests.push(received);
    const answer = answerTo(known, received);
    const json = answer.body === undefined ? undefined : JSON.stringify(answer.body);
    response.writeHead(answer.status, json === undefined ? {} : { 'Content-Type': jsonType });
    response.end(json);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const jsonType = 'application/json; charset=utf-8';

type RecordedAnswer = { status: number; body?: unknown };
type Route = [
  method: string,
  path: string,
  answer: RecordedAnswer | ((asked: Recorded) => RecordedAnswer),
];

function answerTo(known: Known, asked: Recorded): RecordedAnswer {
  if (asked.headers.authorization !== `Token ${recordedKey}`) {
    return { status: 401, body: { detail: 'Invalid token.' } };
  }
  const found = routes[known].find(
    ([method, path]) => method === asked.method && matches(path, asked.path),
  );
  if (found === undefined) return { status: 404, body: { detail: 'Not found.' } };
  const [, , answer] = found;
  return typeof answer === 'function' ? answer(asked) : answer;
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

const times = { created_at: '2026-01-02T03:04:05-08:00', updated_at: '2026-01-02T03:04:05-08:00' };

/** Section 2.1. */
const memory = {
  id: memoryId,
  memory: 'Likes tea',
  user_id: 'alice',
  agent_id: null,
  app_id: null,
  run_id: null,
  hash: 'h',
  metadata: { topic: 'drinks' },
  ...times,
};
const listed = {
  id: memoryId,
  memory: 'Likes tea',
  ...times,
  metadata: {},
  immutable: false,
  expiration_date: null,
};
/** Section 2.2. */
const change = { id: memoryId, event: 'ADD', data: { memory: 'Likes tea' } };
/** Section 2.3. */
const entry = {
  id: eventId,
  memory_id: memoryId,
  input: [{ role: 'user', content: 'I like tea' }],
  old_memory: null,
  new_memory: 'Likes tea',
  user_id: 'alice',
  event: 'ADD',
  metadata: null,
  ...times,
};
const feedback = { id: eventId, feedback: 'POSITIVE', feedback_reason: 'right' };
/** Section 2.6. */
const organization = {
  id: 1,
  org_id: 'org-1',
  name: 'Org',
  description: '',
  address: '',
  contact_email: '',
  phone_number: '',
  website: '',
  on_paid_plan: false,
  owner: 7,
  members: [7],
  ...times,
};
/** Section 2.7. */
const project = {
  id: 2,
  project_id: 'proj-1',
  name: 'Project',
  description: '',
  ...times,
  members: [{ username: 'ada', role: 'OWNER' }],
};
/** Section 2.9. */
const entity = {
  id: 'alice',
  name: 'alice',
  ...times,
  total_memories: 1,
  owner: 'o',
  organization: 'org-1',
  metadata: {},
  type: 'user',
};
/** Section 2.10. */
const event = {
  id: eventId,
  event_type: 'ADD',
  status: 'SUCCEEDED',
  payload: {},
  metadata: null,
  results: [change],
  ...times,
  started_at: times.created_at,
  completed_at: times.created_at,
  latency: 12.5,
};
/** Section 2.11. */
const webhook = {
  webhook_id: webhookId,
  name: 'Hook',
  url: 'https://example.com/hook',
  is_active: true,
  event_types: ['memory:add'],
  project: 'proj-1',
  ...times,
};

const ok = (body: unknown): RecordedAnswer => ({ status: 200, body });
const made = (body: unknown): RecordedAnswer => ({ status: 201, body });
const done = ok({ message: 'Done!' });
const gone: RecordedAnswer = { status: 204 };
const page = (results: unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** A list or a search must name its owners in the filters; nothing else is read. */
function filtered(answer: RecordedAnswer): (asked: Recorded) => RecordedAnswer {
  return ({ body }) => {
    const { filters } = body;
    if (JSON.stringify(filters)?.includes('user_id')) return answer;
    return { status: 400, body: { filters: ['This field is required.'] } };
  };
}

/** Section 4.1: at least one filter, all of them in the query string. */
const wipe = ({ query }: Recorded): RecordedAnswer =>
  ['user_id', 'agent_id', 'app_id', 'run_id', 'metadata'].some((name) => query.has(name))
    ? gone
    : { status: 400, body: { message: 'At least one filter is required.' } };

const organizations = '/api/v1/orgs/organizations/';
const ofOrganization = `${organizations}{org_id}/`;
const ofProject = `${ofOrganization}projects/{project_id}/`;

/** What both listings have in common. */
const common: Route[] = [
  ['GET', '/v1/memories/{memory_id}/', ok(memory)],
  ['PUT', '/v1/memories/{memory_id}/', ok(memory)],
  ['DELETE', '/v1/memories/{memory_id}/', gone],
  ['DELETE', '/v1/memories/', wipe],
  ['POST', '/v1/memories/', ok([change])],
  ['GET', '/v1/memories/{memory_id}/history/', ok([entry])],
  ['GET', '/v1/events/', ok(page([event]))],
];

const detailed: Route[] = [
  ...common,
  ['POST', '/v2/memories/', filtered(ok({ results: [listed], total: 1 }))],
  ['POST', '/v2/memories/search/', filtered(ok([{ ...memory, score: 0.8 }]))],
  ['PUT', '/v1/batch/', done],
  ['DELETE', '/v1/batch/', done],
  ['POST', '/v1/feedback/', ok(feedback)],
  ['POST', '/v1/exports/', made({ message: 'Accepted', id: exportId })],
  ['POST', '/v1/exports/get/', ok({ name: 'Alice' })],
  ['POST', organizations, made({ message: 'Made', org_id: 'org-2' })],
  ['GET', organizations, ok([organization])],
  ['GET', ofOrganization, ok(organization)],
  ['DELETE', ofOrganization, done],
  ['GET', `${ofOrganization}members/`, ok({ members: [{ user_id: 'ada', role: 'OWNER' }] })],
  ['POST', `${ofOrganization}members/`, made({ message: 'Added' })],
  ['POST', `${ofOrganization}projects/`, ok({ message: 'Made', project_id: 'proj-2' })],
  ['GET', `${ofOrganization}projects/`, ok([project])],
  ['GET', ofProject, ok(project)],
  ['DELETE', ofProject, done],
  ['GET', `${ofProject}members/`, ok({ members: [{ username: 'ada', role: 'OWNER' }] })],
  ['POST', `${ofProject}members/`, done],
  ['GET', '/v1/entities/', ok([entity, { ...entity, id: 'bot', name: 'bot', type: 'agent' }])],
  ['DELETE', '/v2/entities/{entity_type}/{entity_id}/', gone],
  ['GET', '/v1/event/{event_id}/', ok(event)],
  ['POST', '/api/v1/webhooks/projects/{project_id}/', made(webhook)],
  ['GET', '/api/v1/webhooks/projects/{project_id}/', ok([webhook])],
  ['PUT', '/api/v1/webhooks/{webhook_id}/', done],
  ['DELETE', '/api/v1/webhooks/{webhook_id}/', done],
];

const alternate: Route[] = [
  ...common,
  ['POST', '/v1/memories/search/', filtered(ok([{ ...memory, score: 0.8 }]))],
  ['POST', '/v1/memories/export/', made({ message: 'Accepted', id: exportId })],
  ['GET', '/v1/memories/export/{export_id}/', ok({ name: 'Alice' })],
  ['POST', '/v1/memories/batch/update/', done],
  ['POST', '/v1/memories/batch/delete/', done],
  ['POST', '/v1/memories/{memory_id}/feedback/', ok(feedback)],
  ['GET', '/v1/events/{event_id}/', ok(event)],
  ['GET', '/v1/entities/users/', ok([entity])],
  ['DELETE', '/v1/entities/users/{user_id}/', gone],
  ['POST', '/v1/orgs/', made({ message: 'Made', org_id: 'org-2' })],
  ['GET', '/v1/orgs/', ok([organization])],
  ['GET', '/v1/orgs/{org_id}/', ok(organization)],
  ['DELETE', '/v1/orgs/{org_id}/', done],
  ['GET', '/v1/orgs/{org_id}/members/', ok({ members: [{ user_id: 'ada', role: 'OWNER' }] })],
  ['POST', '/v1/orgs/{org_id}/members/', made({ message: 'Added' })],
  ['POST', '/v1/orgs/{org_id}/projects/', ok({ message: 'Made', project_id: 'proj-2' })],
  ['GET', '/v1/orgs/{org_id}/projects/', ok([project])],
  ['GET', '/v1/projects/{project_id}/', ok(project)],
  ['DELETE', '/v1/projects/{project_id}/', done],
  [
    'GET',
    '/v1/projects/{project_id}/members/',
    ok({ members: [{ username: 'a', role: 'OWNER' }] }),
  ],
  ['POST', '/v1/projects/{project_id}/members/', done],
  ['POST', '/v1/webhooks/', made(webhook)],
  ['GET', '/v1/webhooks/{webhook_id}/', ok(webhook)],
  ['PUT', '/v1/webhooks/{webhook_id}/', done],
  ['DELETE', '/v1/webhooks/{webhook_id}/', done],
];

const queued = {
  message: 'Memory processing has been queued',
  status: 'PENDING',
  event_id: eventId,
};
const settled = { ...queued, status: 'SUCCEEDED', results: [{ ...change, memory: 'Likes tea' }] };

/** The calls of version 3 of the official clients, in the shapes that they read. */
const hosted: Route[] = [
  [
    'GET',
    '/v1/ping/',
    ok({ status: 'ok', org_id: 'org-1', project_id: 'proj-1', user_email: 'a@b' }),
  ],
  ['POST', '/v3/memories/add/', ({ body }) => ok(body.infer === false ? settled : queued)],
  ['POST', '/v3/memories/', filtered(ok(page([{ ...listed, categories: null }])))],
  ['POST', '/v3/memories/search/', filtered(ok({ results: [{ ...memory, score: 0.8 }] }))],
  ['GET', '/v1/memories/{memory_id}/', ok({ ...memory, categories: ['drinks'] })],
  ['PUT', '/v1/memories/{memory_id}/', ok({ ...memory, text: 'Likes tea' })],
  ['DELETE', '/v1/memories/{memory_id}/', done],
  ['DELETE', '/v1/memories/', ok({ message: 'Memories deleted successfully!', event_id: eventId })],
  ['GET', '/v1/memories/{memory_id}/history/', ok([entry])],
  ['PUT', '/v1/batch/', done],
  ['DELETE', '/v1/batch/', done],
  ['POST', '/v1/feedback/', ok(feedback)],
  ['POST', '/v1/exports/', made({ message: 'Accepted', id: exportId })],
  ['POST', '/v1/exports/get/', ok({ name: 'Alice' })],
  [
    'GET',
    '/v1/entities/',
    ok({ ...page([{ ...entity, id: 12 }]), total_users: 1, total_agents: 0 }),
  ],
  ['DELETE', '/v2/entities/{entity_type}/{entity_id}/', done],
  ['GET', '/v1/events/', ok(page([event]))],
  ['GET', '/v1/event/{event_id}/', ok(event)],
  ['GET', ofProject, ok({ ...project, custom_instructions: null, custom_categories: [] })],
  ['PATCH', ofProject, done],
  ['GET', '/api/v1/webhooks/projects/{project_id}/', ok([webhook])],
  ['POST', '/api/v1/webhooks/projects/{project_id}/', ok(webhook)],
  ['PUT', '/api/v1/webhooks/{webhook_id}/', done],
  ['DELETE', '/api/v1/webhooks/{webhook_id}/', done],
];

const routes: Record<Known, readonly Route[]> = { detailed, alternate, hosted };
