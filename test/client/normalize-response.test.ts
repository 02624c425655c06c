import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import { clientOf, json, memory, memoryId, mneme, type Reaction } from './support.ts';

const eventId = '01957f3a-0000-7000-8000-00000000000e';
const change = { id: memoryId, event: 'ADD', data: { memory: 'Likes tea' } };
const read = { ...change, memory: 'Likes tea' };
const listed = { id: memoryId, memory: 'Likes tea', immutable: false, expiration_date: null };
const envelope = (results: unknown[]) => ({ count: 7, next: null, previous: null, results });
const text = { text: 'Likes tea', user_id: 'alice' };
const queued = { message: 'Queued', status: 'PENDING', event_id: eventId };
const page = { page: 1, page_size: 100 };
const created = { created_at: memory.created_at, updated_at: memory.updated_at };
const entity = {
  id: 'alice',
  name: 'alice',
  type: 'user',
  total_memories: 2,
  owner: 'o',
  organization: 'org',
  metadata: {},
  ...created,
};
const agent = { ...entity, id: 'bot', name: 'bot', type: 'agent' };
const event = {
  id: eventId,
  event_type: 'ADD',
  status: 'SUCCEEDED',
  payload: {},
  results: [change],
};
const organization = { id: 1, org_id: 'org', name: 'Org', members: [7, 8] };

/** One shape of an answer, and what it is read as. */
type Shape = [about: string, name: OperationName, input: object, answer: Response, output: object];

const none = () => new Response(null, { status: 204 });

const shapes: readonly Shape[] = [
  ['changes, bare', 'add_memory', text, json([change]), { status: 'SUCCEEDED', results: [read] }],
  [
    'changes, wrapped',
    'add_memory',
    text,
    json({ results: [change], relations: [] }),
    { status: 'SUCCEEDED', results: [read] },
  ],
  ['a queued add, bare', 'add_memory', text, json([queued]), { ...queued, results: [] }],
  [
    'a queued add, wrapped',
    'add_memory',
    text,
    json({ results: [queued] }),
    { ...queued, results: [] },
  ],
  ['a queued add, as hosted', 'add_memory', text, json(queued), { ...queued, results: [] }],
  [
    'an add that is done, as hosted',
    'add_memory',
    text,
    json({ ...queued, status: 'SUCCEEDED', results: [change] }),
    { status: 'SUCCEEDED', event_id: eventId, results: [read] },
  ],
  [
    'an add of nothing',
    'add_memory',
    text,
    json([{ ...change, event: 'NONE' }]),
    { results: [{ ...read, event: 'NOOP' }] },
  ],
  [
    'found memories, bare',
    'search_memories',
    { query: 'tea' },
    json([{ ...listed, score: 0.5 }]),
    { results: [{ ...listed, score: 0.5 }] },
  ],
  [
    'found memories, as hosted',
    'search_memories',
    { query: 'tea' },
    json({ results: [{ ...listed, score: 0.5, categories: null }], relations: [] }),
    { results: [{ ...listed, score: 0.5 }] },
  ],
  [
    'a page with a total',
    'get_memories',
    {},
    json({ results: [listed], total: 7 }),
    { results: [listed], total: 7, ...page },
  ],
  [
    'a page with a count',
    'get_memories',
    { page: 2 },
    json(envelope([listed])),
    { results: [listed], total: 7, page: 2, page_size: 100 },
  ],
  [
    'a list without pages',
    'get_memories',
    { page_size: 2 },
    json([listed]),
    { results: [listed], total: 1, page: 1, page_size: 2 },
  ],
  [
    'a list that knows no pages',
    'get_memories',
    { page: 2, page_size: 1 },
    json([{ ...listed, memory: 'first' }, listed, { ...listed, memory: 'last' }]),
    { results: [listed], total: 3, page: 2, page_size: 1 },
  ],
  [
    'a memory',
    'get_memory',
    { memory_id: memoryId },
    json({ ...memory, run_id: 'r1' }),
    { ...memory, run_id: 'r1', session_id: 'r1', categories: [], replaced_by: null },
  ],
  [
    'an updated memory',
    'update_memory',
    { memory_id: memoryId, text: 'New' },
    json({ ...memory, memory: 'New' }),
    { id: memoryId, memory: 'New', text: 'New' },
  ],
  [
    'an update that only says so',
    'update_memory',
    { memory_id: memoryId, text: 'New' },
    json({ message: 'Memory updated successfully!' }),
    { id: memoryId, memory: 'New', text: 'New' },
  ],
  ['no body', 'delete_memory', { memory_id: memoryId }, none(), { message: 'Done' }],
  ['no body', 'delete_all_memories', { user_id: 'alice' }, none(), { message: 'Done' }],
  [
    'no body',
    'delete_entity',
    { entity_type: 'user', entity_id: 'alice' },
    none(),
    { message: 'Done' },
  ],
  [
    'a message',
    'delete_memory',
    { memory_id: memoryId },
    json({ message: 'Memory deleted successfully!' }),
    { message: 'Memory deleted successfully!' },
  ],
  [
    'a message',
    'batch_delete_memories',
    { memory_ids: [memoryId] },
    json({ message: 'Successfully deleted 1 memories' }),
    { message: 'Successfully deleted 1 memories' },
  ],
  [
    'history, bare',
    'get_history',
    { memory_id: memoryId },
    json([{ id: eventId, memory_id: memoryId, event: 'ADD', new_memory: 'Likes tea' }]),
    { results: [{ id: eventId, event: 'ADD', old_memory: null, input: [], categories: [] }] },
  ],
  [
    'history in an envelope',
    'get_history',
    { memory_id: memoryId },
    json(envelope([])),
    { results: [] },
  ],
  [
    'an export that is ready',
    'get_export',
    { memory_export_id: eventId },
    json({ name: 'Alice' }),
    { id: eventId, status: 'SUCCEEDED', data: { name: 'Alice' } },
  ],
  [
    'an export that is not',
    'get_export',
    { memory_export_id: eventId },
    json({ message: 'x', status: 'PENDING' }, { status: 202 }),
    { id: eventId, status: 'PENDING', data: null },
  ],
  [
    'entities of all kinds, bare',
    'list_entities',
    { entity_type: 'agent' },
    json([entity, agent]),
    { results: [agent], total: 1, total_users: 1, total_agents: 1, total_apps: 0, ...page },
  ],
  [
    'entities page by page, bare',
    'list_entities',
    { page: 2, page_size: 1 },
    json([entity, agent]),
    { results: [agent], total: 2 },
  ],
  [
    'entities that are numbered',
    'list_entities',
    {},
    json(envelope([{ ...entity, id: 12 }])),
    { results: [entity], total: 7 },
  ],
  [
    'events',
    'list_events',
    {},
    json(envelope([event])),
    { results: [{ id: eventId, error: null, latency: null }], total: 7, page: 1, page_size: 50 },
  ],
  [
    'an event',
    'get_event',
    { event_id: eventId },
    json({ ...event, status: 'succeeded', latency: '12.5' }),
    { id: eventId, status: 'SUCCEEDED', latency: 12.5, metadata: null },
  ],
  [
    'organizations',
    'list_organizations',
    {},
    json([organization]),
    { results: [{ id: 1, org_id: 'org', members: [{ id: 7 }, { id: 8 }] }] },
  ],
  [
    'members',
    'list_project_members',
    { org_id: 'o', project_id: 'p' },
    json({ members: [{ username: 'ada', role: 'OWNER' }] }),
    { members: [{ username: 'ada', role: 'OWNER' }] },
  ],
  [
    'webhooks',
    'list_webhooks',
    { project_id: 'p' },
    json([{ webhook_id: eventId, url: 'https://example.com', event_types: ['memory_add'] }]),
    { results: [{ webhook_id: eventId, event_types: ['memory_add'], disabled_reason: null }] },
  ],
];

describe('an answer of', () => {
  it.each(shapes)('%s to %s is read', async (_, name, input, answer, output) => {
    const { invoke } = clientOf([answer]);

    expect(await invoke(name, input)).toMatchObject(output);
  });

  it('mneme itself is taken as it is', async () => {
    const headers = { 'Content-Type': 'application/vnd.mneme+json', ...mneme };
    const output = { message: 'Done', deleted: 3, event_id: eventId };
    const { invoke, requests } = clientOf([json(output, { headers })]);

    expect(await invoke('delete_all_memories', { user_id: 'alice' })).toEqual(output);
    expect(requests[0]?.headers.Accept).toBe('application/vnd.mneme+json, application/json');
  });
});

describe('what an answer leaves out', () => {
  it('is not invented', async () => {
    const { invoke } = clientOf([none()]);

    const output = await invoke('delete_all_memories', { user_id: 'alice' });

    expect(output).toEqual({ message: 'Done' });
  });

  it('and what the contract does not know, stays out', async () => {
    const { invoke } = clientOf([json({ ...memory, embedding: [0.1], __proto__: { a: 1 } })]);

    const output = await invoke('get_memory', { memory_id: memoryId });

    expect(Object.keys(output)).not.toContain('embedding');
  });
});

describe('a list that does not say how many there are', () => {
  const served =
    (total: number): Reaction =>
    ({ path, body }) => {
      if (path === '/v1/ping/') return json({}, { status: 404 });
      const { page: at, page_size } = body as { page: number; page_size: number };
      const start = (at - 1) * page_size;
      const ids = Array.from({ length: total }, (_, index) => ({ id: `m${index}` }));
      return json(ids.slice(start, start + page_size));
    };

  it.each([0, 2, 3, 100, 101, 250])('of %i is counted', async (total) => {
    const { invoke } = clientOf([served(total)]);

    const output = await invoke('get_memories', { user_id: 'alice', page_size: 3 });

    expect(output.total).toBe(total);
    expect(output.results).toHaveLength(Math.min(total, 3));
  });

  it('and answers all of it for every page is counted once', async () => {
    const all = Array.from({ length: 100 }, (_, index) => ({ id: `m${index}` }));
    const { invoke } = clientOf([json(all)]);

    expect(await invoke('get_memories', { user_id: 'alice' })).toMatchObject({ total: 100 });
  });
});
