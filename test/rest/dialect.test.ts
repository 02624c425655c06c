import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import * as sample from './sample-outputs.ts';
import { bodyOf, clientOf } from './support.ts';

const { id, eventId, memory, writeResult, member } = sample;
const sdk = { 'X-Mem0-Client': 'mem0-js/3.3.1' };
const org = '/api/v1/orgs/organizations/org/';
const deleted = { message: 'Deleted', deleted: 1, event_id: eventId };
const page = { count: 1, next: null, previous: null };
const ofAlice = { filters: { user_id: 'alice' } };
const event = { id: eventId, status: 'SUCCEEDED' };
const pendingItem = { message: 'Queued', status: 'PENDING', event_id: eventId };
const webhook = { webhook_id: id, name: 'hook' };
const exported = { id, status: 'SUCCEEDED', message: 'Done', data: { drinks: ['tea'] } };

type Case = {
  name: OperationName;
  output: unknown;
  send: [method: string, path: string, body?: object];
  status?: number;
  /** What is answered in both dialects, or in each. */
  body?: unknown;
  published?: [status: number, body?: unknown];
  sdk?: [status: number, body?: unknown];
};

const memories: Case[] = [
  {
    name: 'add_memory',
    output: sample.done,
    send: ['POST', '/v1/memories/', { messages: 'x', user_id: 'alice' }],
    body: [writeResult],
  },
  {
    name: 'add_memory',
    output: sample.pending,
    send: ['POST', '/v1/memories/', { messages: 'x', user_id: 'alice' }],
    body: [pendingItem],
  },
  {
    name: 'add_memory',
    output: { ...sample.pending, status: 'FAILED', message: 'it broke' },
    send: ['POST', '/v1/memories/', { messages: 'x', user_id: 'alice', async_mode: false }],
    body: [{ message: 'it broke', status: 'FAILED', event_id: eventId }],
  },
  {
    name: 'add_memory',
    output: sample.done,
    send: ['POST', '/v1/memories/', { messages: 'x', user_id: 'a', output_format: 'v1.1' }],
    body: { results: [writeResult], relations: [] },
  },
  {
    name: 'add_memory',
    output: sample.pending,
    send: ['POST', '/v1/memories/', { messages: 'x', user_id: 'a', output_format: 'v1.1' }],
    body: { results: [pendingItem], relations: [] },
  },
  {
    name: 'add_memory',
    output: sample.pending,
    send: ['POST', '/v3/memories/add/', { messages: 'x', user_id: 'alice' }],
    body: pendingItem,
  },
  {
    name: 'add_memory',
    output: sample.done,
    send: ['POST', '/v3/memories/add/', { messages: 'x', user_id: 'alice', infer: false }],
    body: sample.done,
  },
  ...['/v1/memories/search/', '/v2/memories/search/'].flatMap((path): Case[] => [
    {
      name: 'search_memories',
      output: { results: [{ ...memory, score: 1 }] },
      send: ['POST', path, { query: 'tea' }],
      body: [{ ...memory, score: 1 }],
    },
    {
      name: 'search_memories',
      output: { results: [memory] },
      send: ['POST', path, { query: 'tea', output_format: 'v1.1' }],
      body: { results: [memory], relations: [] },
    },
  ]),
  {
    name: 'search_memories',
    output: { results: [memory] },
    send: ['POST', '/v3/memories/search/', { query: 'tea', output_format: 'v1.1', ...ofAlice }],
    body: { results: [memory] },
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['POST', '/v2/memories/', ofAlice],
    body: { results: [memory], total: 1, ...page },
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['POST', '/v3/memories/?page=1&page_size=50', ofAlice],
    body: { results: [memory], ...page },
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['GET', '/v1/memories/?user_id=alice'],
    body: [memory],
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['GET', '/v1/memories/?user_id=alice&page=1&page_size=5'],
    body: { results: [memory], ...page },
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['GET', '/v1/memories/user/alice/'],
    body: [memory],
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['GET', '/v1/memories/user/alice/?page=1'],
    published: [200, [memory]],
    sdk: [200, { results: [memory], ...page }],
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['GET', '/v1/memories/user/alice/?page=1&page_size=5'],
    body: { results: [memory], ...page },
  },
  {
    name: 'get_memories',
    output: sample.pageOf(memory),
    send: ['GET', '/v1/memories/?user_id=alice&page=1'],
    body: [memory],
  },
  { name: 'get_memory', output: memory, send: ['GET', `/v1/memories/${id}/`], body: memory },
  {
    name: 'update_memory',
    output: { ...memory, text: 'likes tea' },
    send: ['PUT', `/v1/memories/${id}/`, { text: 'likes tea' }],
    body: { ...memory, text: 'likes tea' },
  },
  {
    name: 'delete_memory',
    output: deleted,
    send: ['DELETE', `/v1/memories/${id}/`],
    published: [204],
    sdk: [200, deleted],
  },
  {
    name: 'delete_all_memories',
    output: deleted,
    send: ['DELETE', '/v1/memories/?user_id=alice'],
    published: [204],
    sdk: [200, deleted],
  },
  {
    name: 'batch_update_memories',
    output: { message: 'Updated' },
    send: ['PUT', '/v1/batch/', { memories: [] }],
    body: { message: 'Updated' },
  },
  {
    name: 'batch_delete_memories',
    output: deleted,
    send: ['DELETE', '/v1/batch/', { memory_ids: [id] }],
    body: deleted,
  },
  {
    name: 'get_history',
    output: { results: [{ id, event: 'ADD' }] },
    send: ['GET', `/v1/memories/${id}/history/`],
    body: [{ id, event: 'ADD' }],
  },
  {
    name: 'list_history',
    output: sample.pageOf({ id, event: 'ADD' }),
    send: ['GET', '/v1/memories/events/?page=1'],
    body: { results: [{ id, event: 'ADD' }], ...page },
  },
  {
    name: 'add_feedback',
    output: { id, feedback: 'POSITIVE' },
    send: ['POST', '/v1/feedback/', { memory_id: id, feedback: 'POSITIVE' }],
    body: { id, feedback: 'POSITIVE' },
  },
];

const others: Case[] = [
  {
    name: 'list_entities',
    output: { ...sample.pageOf(sample.entity), ...sample.totals },
    send: ['GET', '/v1/entities/'],
    published: [200, [sample.entity]],
    sdk: [200, { results: [sample.entity], ...page, ...sample.totals }],
  },
  {
    name: 'list_entities',
    output: { ...sample.pageOf(sample.entity), ...sample.totals },
    send: ['GET', '/v1/entities/?page=1'],
    body: { results: [sample.entity], ...page, ...sample.totals },
  },
  {
    name: 'list_entities',
    output: { ...sample.pageOf(sample.entity), ...sample.totals },
    send: ['GET', '/v2/entities/user/alice/'],
    body: [sample.entity],
  },
  {
    name: 'delete_entity',
    output: deleted,
    send: ['DELETE', '/v2/entities/user/alice/'],
    published: [204],
    sdk: [200, deleted],
  },
  {
    name: 'list_events',
    output: sample.pageOf(event, { page_size: 50 }),
    send: ['GET', '/v1/events/'],
    body: { results: [event], ...page },
  },
  { name: 'get_event', output: event, send: ['GET', `/v1/event/${eventId}/`], body: event },
  {
    name: 'create_export',
    output: { message: 'Requested', id },
    send: ['POST', '/v1/exports/', { schema: {} }],
    status: 201,
    body: { message: 'Requested', id },
  },
  {
    name: 'get_export',
    output: exported,
    send: ['POST', '/v1/exports/get/', { memory_export_id: id }],
    body: { drinks: ['tea'] },
  },
  {
    name: 'get_export',
    output: { ...exported, status: 'RUNNING', message: 'Being prepared', data: null },
    send: ['GET', `/v1/memories/export/${id}/`],
    status: 202,
    body: { message: 'Being prepared', status: 'PENDING' },
  },
  {
    name: 'create_webhook',
    output: webhook,
    send: ['POST', '/api/v1/webhooks/projects/proj/', { url: 'https://example.com' }],
    status: 201,
    body: webhook,
  },
  {
    name: 'list_webhooks',
    output: { results: [webhook] },
    send: ['GET', '/api/v1/webhooks/projects/proj/'],
    body: [webhook],
  },
  {
    name: 'list_webhook_deliveries',
    output: sample.pageOf({ id }, { page_size: 50 }),
    send: ['GET', `/api/v1/webhooks/${id}/deliveries/`],
    body: { results: [{ id }], ...page },
  },
  {
    name: 'create_organization',
    output: { message: 'Made', org_id: 'org' },
    send: ['POST', '/api/v1/orgs/organizations/', { name: 'Org' }],
    status: 201,
    body: { message: 'Made', org_id: 'org' },
  },
  {
    name: 'list_organizations',
    output: { results: [sample.organization] },
    send: ['GET', '/api/v1/orgs/organizations/'],
    published: [200, [{ ...sample.organization, members: [7] }]],
    sdk: [200, [{ ...sample.organization, members: [placeOf(member)] }]],
  },
  {
    name: 'get_organization',
    output: sample.organization,
    send: ['GET', org],
    published: [200, { ...sample.organization, members: [7] }],
    sdk: [200, { ...sample.organization, members: [placeOf(member)] }],
  },
  {
    name: 'list_organization_members',
    output: { members: [member] },
    send: ['GET', `${org}members/`],
    published: [200, { members: [{ user_id: 'account-7', role: 'OWNER' }] }],
    sdk: [200, { members: [{ user_id: 'account-7', ...placeOf(member) }] }],
  },
  {
    name: 'create_project',
    output: { message: 'Made', project_id: 'proj' },
    send: ['POST', `${org}projects/`, { name: 'Proj' }],
    body: { message: 'Made', project_id: 'proj' },
  },
  {
    name: 'list_projects',
    output: { results: [sample.project] },
    send: ['GET', `${org}projects/`],
    published: [200, [{ ...sample.project, members: [{ username: 'ada', role: 'OWNER' }] }]],
    sdk: [200, [{ ...sample.project, members: [placeOf(member)] }]],
  },
  {
    name: 'get_project',
    output: sample.project,
    send: ['GET', `${org}projects/proj/`],
    published: [200, { ...sample.project, members: [{ username: 'ada', role: 'OWNER' }] }],
    sdk: [200, { ...sample.project, members: [placeOf(member)] }],
  },
  {
    name: 'get_project',
    output: { id: 2, project_id: 'proj', decay: true },
    send: ['GET', `${org}projects/proj/?fields=decay`],
    body: { id: 2, project_id: 'proj', decay: true },
  },
  {
    name: 'list_project_members',
    output: { members: [member] },
    send: ['GET', `${org}projects/proj/members/`],
    published: [200, { members: [{ username: 'ada', role: 'OWNER' }] }],
    sdk: [200, { members: [placeOf(member)] }],
  },
  {
    name: 'ping',
    output: { status: 'ok', org_id: 'org', project_id: 'proj', user_email: 'ada@example.com' },
    send: ['GET', '/v1/ping/'],
    body: { status: 'ok', org_id: 'org', project_id: 'proj', user_email: 'ada@example.com' },
  },
];

const cases = [...memories, ...others].flatMap(({ send, status = 200, body, ...rest }) => {
  const title = `${send[0]} ${send[1]} ${JSON.stringify(send[2] ?? '')}`;
  return (['published', 'sdk'] as const).map((dialect) => {
    const [code, answer] = rest[dialect] ?? [status, body];
    const headers: Record<string, string> = dialect === 'sdk' ? sdk : {};
    return { ...rest, send, title, dialect, headers, code, answer };
  });
});

describe.each(['published', 'sdk'] as const)('the %s dialect', (dialect) => {
  const own = cases.filter((one) => one.dialect === dialect);

  it.each(own)('answers $title as $name', async ({ name, output, send, headers, code, answer }) => {
    const [method, path, body] = send;
    const client = clientOf({ [name]: () => output });

    const got = await client.send(method, path, { headers, body });

    expect(got.status).toBe(code);
    expect(await bodyOf(got)).toEqual(answer);
  });
});

describe('the warning of a search', () => {
  const warning = 'The model is away: searched by words only…';
  const { send } = clientOf({ search_memories: () => ({ results: [], warning }) });
  const body = { query: 'tea', filters: { user_id: 'alice' } };

  it.each(['/v1/memories/search/', '/v2/memories/search/'])('is a header of %s', async (path) => {
    const answer = await send('POST', path, { body });

    expect(await bodyOf(answer)).toEqual([]);
    expect(answer.headers.get('X-Mneme-Warning')).toBe(
      'The model is away: searched by words only?',
    );
  });

  it('is a field where the answer has fields', async () => {
    const answer = await send('POST', '/v3/memories/search/', { body });

    expect(await bodyOf(answer)).toMatchObject({ results: [], warning });
    expect(answer.headers.get('X-Mneme-Warning')).toBeNull();
  });

  it('is no header where there is none', async () => {
    const client = clientOf({ search_memories: () => ({ results: [] }) });
    const answer = await client.send('POST', '/v2/memories/search/', { body });

    expect(answer.headers.get('X-Mneme-Warning')).toBeNull();
  });
});

describe('the dialect', () => {
  const chosen = async (
    sent: { path?: string; headers?: Record<string, string>; body?: object } = {},
    dialect: 'auto' | 'published' | 'sdk' = 'auto',
  ) => {
    const { send } = clientOf({ delete_memory: () => deleted }, { dialect });
    const { path = `/v1/memories/${id}/`, ...rest } = sent;
    return (await send('DELETE', path, rest)).status === 204 ? 'published' : 'sdk';
  };

  it('is published for who says nothing', async () => {
    expect(await chosen()).toBe('published');
  });

  it.each([
    ['Mem0-User-ID', ''],
    ['Mem0-User-ID', 'abc'],
    ['X-Mem0-Client', 'mem0-js/3.3.1'],
    ['X-Mem0-Source', 'x'],
    ['X-Mem0-Client-Language', 'python'],
  ])('is the sdk one with a header %s: "%s"', async (name, value) => {
    expect(await chosen({ headers: { [name]: value } })).toBe('sdk');
  });

  it('is the sdk one with a source in query or body', async () => {
    expect(await chosen({ path: `/v1/memories/${id}/?source=CLI` })).toBe('sdk');
    expect(await chosen({ body: { source: 'CLI' } })).toBe('sdk');
  });

  it('can be configured, over what the request says', async () => {
    expect(await chosen({}, 'sdk')).toBe('sdk');
    expect(await chosen({ headers: sdk }, 'published')).toBe('published');
  });
});

function placeOf({ username, role, email }: typeof member) {
  return { username, role, email };
}
