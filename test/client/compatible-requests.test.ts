import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectRemote } from '../../src/app/remote/connect-remote.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { owner } from '../support/engine.ts';
import {
  eventId,
  exportId,
  type Known,
  memoryId,
  recordedKey,
  startRecordedServer,
  webhookId,
} from '../support/recorded-server.ts';

/** MCP, as `mneme` serves it, in front of a server that is not mneme. */
async function connect(known: Known, place: { org_id?: string; project_id?: string } = {}) {
  const server = await startRecordedServer(known);
  const scope = { org_id: null, project_id: null, ...place };
  const remote = connectRemote(
    {
      base_url: server.url,
      api_key: recordedKey,
      api_key_command: null,
      remote_timeout_ms: 10_000,
      read_only: false,
      ...scope,
    },
    () => {},
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const options = {
    invoke: remote.invoke,
    caller: owner,
    version: '0.0.0',
    scope: { ...place },
    lock_scope: false,
    toolsets: null,
    tools: null,
    exclude_tools: [],
    read_only: false,
    add_wait_ms: 2000,
    result_max_tokens: 8000,
    confirm_destructive: false,
    admin_approval: 'forms' as const,
    strict_schemas: false,
    tool_timeout_ms: 60_000,
    secret: async () => remote.secret,
    now: Date.now,
    log: () => {},
  };
  serveStdio(() => createMcpServer(options), { transport: far });
  const client = new Client({ name: 'others', version: '0.0.0' });
  await client.connect(near);
  onTestFinished(async () => {
    await client.close();
    await remote.close();
    await server.stop();
  });
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError, structuredContent } = await client.callTool({ name, arguments: args });
    return { isError: isError === true, ...(structuredContent as Record<string, unknown>) };
  };
  return { call, requests: server.requests };
}

type Row = [tool: string, args: Record<string, unknown>, answer: object];

const id = { memory_id: memoryId };
const user = { user_id: 'alice' };
const place = { org_id: 'org-1', project_id: 'proj-1' };
const member = { email: 'ada@example.com', role: 'READER' };
const url = 'https://example.com/hook';
const tea = { id: memoryId, memory: 'Likes tea' };
const stored = { status: 'SUCCEEDED', results: [{ memory: 'Likes tea', event: 'ADD' }] };

const everywhere: readonly Row[] = [
  ['add_memory', { text: 'Likes tea', ...user }, stored],
  ['search_memories', { query: 'tea', ...user }, { results: [{ ...tea, score: 0.8 }] }],
  ['get_memory', id, { ...tea, metadata: { topic: 'drinks' } }],
  ['update_memory', { ...id, text: 'Likes tea' }, tea],
  ['delete_memory', id, { message: expect.stringMatching('Done') }],
  ['delete_all_memories', user, { message: expect.any(String) }],
  ['batch_update_memories', { memories: [{ ...id, text: 'x' }] }, { message: 'Done!' }],
  ['batch_delete_memories', { memory_ids: [memoryId] }, { message: 'Done!' }],
  ['get_history', id, { results: [{ event: 'ADD', new_memory: 'Likes tea' }] }],
  ['add_feedback', { ...id, feedback: 'POSITIVE' }, { feedback: 'POSITIVE' }],
  ['create_export', { schema: { type: 'object' }, ...user }, { id: exportId }],
  ['get_export', { memory_export_id: exportId }, { data: { name: 'Alice' } }],
  ['list_entities', { entity_type: 'user' }, { results: [{ id: 'alice', type: 'user' }] }],
  ['delete_entity', { entity_type: 'user', entity_id: 'alice' }, { message: expect.any(String) }],
  ['list_events', {}, { total: 1, results: [{ id: eventId }] }],
  ['get_event', { event_id: eventId }, { status: 'SUCCEEDED' }],
];

const get_memories: Row = ['get_memories', user, { total: 1, results: [tea] }];

const organizations: readonly Row[] = [
  ['manage_organization', { action: 'create', name: 'Org' }, { org_id: 'org-2' }],
  ['manage_organization', { action: 'list' }, { results: [{ org_id: 'org-1' }] }],
  ['manage_organization', { action: 'get', org_id: 'org-1' }, { name: 'Org' }],
  [
    'manage_organization',
    { action: 'list_members', org_id: 'org-1' },
    { members: [{ role: 'OWNER' }] },
  ],
  [
    'manage_organization',
    { action: 'add_member', org_id: 'org-1', ...member },
    { message: 'Added' },
  ],
  ['manage_organization', { action: 'delete', org_id: 'org-1' }, { message: 'Done!' }],
  ['manage_project', { action: 'create', org_id: 'org-1', name: 'P' }, { project_id: 'proj-2' }],
  ['manage_project', { action: 'list', org_id: 'org-1' }, { results: [{ name: 'Project' }] }],
  ['manage_project', { action: 'list_members', ...place }, { members: [{ role: 'OWNER' }] }],
  ['manage_project', { action: 'add_member', ...place, ...member }, { message: 'Done!' }],
  ['manage_project', { action: 'delete', ...place }, { message: 'Done!' }],
];

const projects: readonly Row[] = [
  ['manage_project', { action: 'get', ...place }, { name: 'Project' }],
  ['manage_webhook', { action: 'create', project_id: 'proj-1', url }, { webhook_id: webhookId }],
  ['manage_webhook', { action: 'update', webhook_id: webhookId, name: 'H' }, { message: 'Done!' }],
  ['manage_webhook', { action: 'delete', webhook_id: webhookId }, { message: 'Done!' }],
];

const listWebhooks: Row = [
  'manage_webhook',
  { action: 'list', project_id: 'proj-1' },
  { results: [{ webhook_id: webhookId }] },
];

const cases: readonly [Known, readonly Row[]][] = [
  ['detailed', [...everywhere, get_memories, ...organizations, ...projects, listWebhooks]],
  ['alternate', [...everywhere, ...organizations, ...projects]],
  [
    'hosted',
    [
      ...everywhere,
      get_memories,
      ...projects,
      listWebhooks,
      [
        'manage_project',
        { action: 'update', ...place, custom_instructions: 'x' },
        { message: 'Done!' },
      ],
    ],
  ],
];

describe.each(cases)('a server that knows the %s paths', (known, rows) => {
  it.each(rows)('answers %s %j', async (tool, args, answer) => {
    const { call } = await connect(known);

    expect(await call(tool, args)).toMatchObject({ isError: false, ...answer });
  });
});

describe('any other server', () => {
  it('that works an add off later is asked for the end', async () => {
    const { call, requests } = await connect('hosted');

    const messages = [{ role: 'user', content: 'I like tea' }];
    const answer = await call('add_memory', { messages, ...user });

    expect(answer).toMatchObject({ isError: false, ...stored });
    expect(requests.at(-1)).toMatchObject({ method: 'GET', path: `/v1/event/${eventId}/` });
  });

  it.each(['detailed', 'hosted'] as const)(
    'is told in filters whose memories are meant (%s)',
    async (known) => {
      const { call, requests } = await connect(known);
      const filters = { created_at: { gte: '2026-01-01' } };

      await call('get_memories', { ...user, filters });
      await call('search_memories', { query: 'tea', ...user });

      const sent = requests.filter(({ method, body }) => method === 'POST' && 'filters' in body);
      expect(sent.map(({ body }) => body.user_id)).toEqual(sent.map(() => undefined));
      expect(sent[0]?.body.filters).toEqual({ AND: [{ user_id: 'alice' }, filters] });
      expect(sent.at(-1)?.body.filters).toEqual({ user_id: 'alice' });
    },
  );

  it('is told the configured place with every call', async () => {
    const { call, requests } = await connect('detailed', place);

    for (const [tool, args] of [...everywhere, get_memories]) await call(tool, args);

    const places = requests
      .filter(({ path }) => path !== '/v1/ping/')
      .map(({ query, body }) => ({
        org_id: query.get('org_id') ?? body.org_id,
        project_id: query.get('project_id') ?? body.project_id,
      }));
    expect(places).toEqual(places.map(() => place));
  });

  it('never sees what belongs to the tools alone', async () => {
    const { call, requests } = await connect('detailed');

    await call('delete_all_memories', { ...user, dry_run: true });
    await call('search_memories', { query: 'tea', ...user, response_format: 'detailed' });

    expect(JSON.stringify(requests)).not.toMatch(/dry_run|confirm|response_format/);
    expect(requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('is not trusted with filters on a delete, which it may overlook', async () => {
    const { call, requests } = await connect('detailed');
    const filters = { metadata: { topic: 'drinks' } };

    const answer = await call('delete_all_memories', { ...user, filters });

    expect(answer).toMatchObject({
      isError: true,
      error: { code: 'invalid', message: expect.stringContaining('batch_delete_memories') },
    });
    expect(requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('that lacks an operation says so', async () => {
    const { call } = await connect('detailed');

    expect(await call('manage_project', { action: 'update', ...place, name: 'New' })).toMatchObject(
      {
        isError: true,
      },
    );
  });

  it('that refuses is quoted', async () => {
    const { call } = await connect('detailed');

    expect(await call('search_memories', { query: 'tea', agent_id: 'bot' })).toMatchObject({
      isError: true,
      error: { code: 'invalid', message: 'filters: This field is required.' },
    });
  });
});
