import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callOverWire,
  query,
  serverProgram,
  shakeHands,
  spawnWire,
  startShared,
  type ToolResult,
  type Wire,
} from './support.ts';

const secret = 'buried the gold under the oak';
const unknownId = '00000000-0000-4000-8000-000000000000';

/** Bob's server has stored what Alice's, locked to her, must not reach. */
let bob: Wire;
let alice: Wire;
let data_dir: string;
let stop: () => Promise<void>;
let ids: Record<'memory' | 'event' | 'queued' | 'shared' | 'own', string>;

beforeAll(async () => {
  const env = { MNEME_USER_ID: 'bob' };
  ({ wire: bob, data_dir, stop } = await startShared({ env }));
  const flags = ['--lock-scope', '--no-confirm-destructive'];
  alice = spawnWire(serverProgram({ data_dir, env: { MNEME_USER_ID: 'alice' }, flags }));
  await shakeHands(alice);
  ids = await seed();
});
afterAll(async () => {
  alice.kill('SIGKILL');
  await alice.exited;
  await stop();
});

type Attack = [about: string, tool: string, args: () => Record<string, unknown>];

const reads: Attack[] = [
  ['a memory by its id', 'get_memory', () => ({ memory_id: ids.memory })],
  [
    'a memory that another user shares with an agent',
    'get_memory',
    () => ({ memory_id: ids.shared }),
  ],
  ['its history', 'get_history', () => ({ memory_id: ids.memory })],
  [
    'its history in full',
    'get_history',
    () => ({ memory_id: ids.memory, response_format: 'detailed' }),
  ],
  ['the event that stored it', 'get_event', () => ({ event_id: ids.event })],
  ['the event that extracted from a conversation', 'get_event', () => ({ event_id: ids.queued })],
  ['events', 'list_events', () => ({ response_format: 'detailed', page_size: 100 })],
  ['events of a kind', 'list_events', () => ({ event_type: 'ADD', status: 'SUCCEEDED' })],
  ['entities', 'list_entities', () => ({})],
  ['entities of a kind', 'list_entities', () => ({ entity_type: 'agent' })],
  [
    'an entity by a field that tools do not show',
    'list_entities',
    () => ({ entity_type: 'user', entity_id: 'bob' }),
  ],
  ['a search', 'search_memories', () => ({ query: secret, threshold: 0 })],
  ['a search for a user', 'search_memories', () => ({ query: secret, user_id: 'bob' })],
  ['a search for any user', 'search_memories', () => ({ query: secret, user_id: '*' })],
  [
    'a search for users in a list',
    'search_memories',
    () => ({ query: secret, user_id: ['alice', 'bob'] }),
  ],
  ['a search under another spelling', 'search_memories', () => ({ query: secret, userId: 'bob' })],
  [
    'a search for an agent',
    'search_memories',
    () => ({ query: secret, agent_id: 'digger', threshold: 0 }),
  ],
  ['a list', 'get_memories', () => ({ page_size: 1000, response_format: 'detailed' })],
  ['a list by kind of entity', 'get_memories', () => ({ entity_type: 'user', entity_id: 'bob' })],
  ['a list of what is hidden', 'get_memories', () => ({ show_expired: true, latest_only: false })],
  ...[
    { user_id: 'bob' },
    { userId: 'bob' },
    { user_id: '*' },
    { user_id: { ne: 'alice' } },
    { user_id: { in: ['alice', 'bob'] } },
    { user_id: { icontains: 'O' } },
    { NOT: { user_id: 'alice' } },
    { NOT: [{ user_id: 'alice' }] },
    { OR: [{ user_id: 'bob' }, { user_id: 'alice' }] },
    { OR: [{ agent_id: 'digger' }, { text: { contains: 'gold' } }] },
    { or: [{ AND: [{ NOT: { userId: 'alice' } }] }] },
    { text: { contains: 'gold' } },
    { agent_id: 'digger' },
    { metadata: { place: 'oak' } },
  ].map(
    (filters): Attack => [
      `a list by ${JSON.stringify(filters)}`,
      'get_memories',
      () => ({ filters, response_format: 'detailed' }),
    ],
  ),
  [
    'a dry run of a delete by user',
    'delete_all_memories',
    () => ({ user_id: 'bob', dry_run: true }),
  ],
  [
    'a dry run of a delete by filter',
    'delete_all_memories',
    () => ({ filters: { text: { contains: 'ied the' } }, dry_run: true }),
  ],
  [
    'a dry run of a delete by agent',
    'delete_all_memories',
    () => ({ agent_id: 'digger', dry_run: true }),
  ],
  [
    'a dry run of a batch',
    'batch_delete_memories',
    () => ({ memory_ids: [ids.memory], dry_run: true }),
  ],
  [
    'a dry run on an entity',
    'delete_entity',
    () => ({ entity_type: 'agent', entity_id: 'digger', dry_run: true }),
  ],
  ['a list by a filter in JSON text', 'get_memories', () => ({ filters: '{"user_id":"bob"}' })],
  ['a list by id', 'get_memories', () => ({ filters: { id: ids.memory } })],
  [
    'a search by ids',
    'search_memories',
    () => ({ query: secret, filters: { memory_ids: [ids.memory] } }),
  ],
];

const writes: Attack[] = [
  ['an update', 'update_memory', () => ({ memory_id: ids.memory, text: 'hacked' })],
  [
    'an update of metadata',
    'update_memory',
    () => ({ memory_id: ids.shared, metadata: { hacked: true } }),
  ],
  ['a delete', 'delete_memory', () => ({ memory_id: ids.memory })],
  [
    'a delete with what is linked',
    'delete_memory',
    () => ({ memory_id: ids.memory, delete_linked: true }),
  ],
  ['feedback', 'add_feedback', () => ({ memory_id: ids.memory, feedback: 'NEGATIVE' })],
  [
    'a batch of updates',
    'batch_update_memories',
    () => ({ memories: [{ memory_id: ids.memory, text: 'hacked' }] }),
  ],
  [
    'a batch of updates, one of them an own memory',
    'batch_update_memories',
    () => ({ memories: [ids.own, ids.memory].map((memory_id) => ({ memory_id, text: 'hacked' })) }),
  ],
  ['a batch of deletes', 'batch_delete_memories', () => ({ memory_ids: [ids.memory, ids.shared] })],
  [
    'a batch of deletes, one of them own',
    'batch_delete_memories',
    () => ({ memory_ids: [ids.own, ids.memory] }),
  ],
  [
    'a batch of deletes in another shape',
    'batch_delete_memories',
    () => ({ memories: [{ memory_id: ids.memory }] }),
  ],
  ['a delete by user', 'delete_all_memories', () => ({ user_id: 'bob' })],
  ['a delete by any user', 'delete_all_memories', () => ({ user_id: '*' })],
  ['a delete by id', 'delete_all_memories', () => ({ filters: { id: ids.memory } })],
  [
    'a delete by what is not own',
    'delete_all_memories',
    () => ({ filters: { NOT: { user_id: 'alice' } } }),
  ],
  ['a delete by agent', 'delete_all_memories', () => ({ agent_id: 'digger' })],
  ['a delete of a user', 'delete_entity', () => ({ entity_type: 'user', entity_id: 'bob' })],
  ['a delete of an agent', 'delete_entity', () => ({ entity_type: 'agent', entity_id: 'digger' })],
  ['an add', 'add_memory', () => ({ text: 'hacked', user_id: 'bob' })],
  ['an add in a filter', 'add_memory', () => ({ text: 'hacked', filters: { user_id: 'bob' } })],
  ['an add of messages', 'add_memory', () => ({ messages: 'I was hacked', user_id: 'bob' })],
];

describe('a server locked to one user', () => {
  it('shows no field of its scope to choose', async () => {
    const { result } = await alice.request('tools/list');

    const tools = result?.tools as { inputSchema: { properties: Record<string, unknown> } }[];
    const fields = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
    expect(fields).not.toContain('user_id');
    expect(fields).toContain('agent_id');
  });

  it.each(reads)('does not give away by %s', async (_, tool, args) => {
    const answer = await callOverWire(alice, tool, args());

    expectNothingOfBob(answer);
  });

  it.each(writes)('changes nothing of another user by %s', async (_, tool, args) => {
    const before = await everythingOfBob();

    const answer = await callOverWire(alice, tool, args());

    expectNothingOfBob(answer);
    expect(await everythingOfBob()).toEqual(before);
  });

  it.each([
    ['get_memory', {}],
    ['get_history', {}],
    ['delete_memory', {}],
    ['update_memory', { text: 'x' }],
    ['add_feedback', { feedback: 'POSITIVE' }],
  ])('treats a hidden id like an unknown one in %s', async (tool, args) => {
    const hidden = await callOverWire(alice, tool, { memory_id: ids.memory, ...args });
    const unknown = await callOverWire(alice, tool, { memory_id: unknownId, ...args });

    expect(hidden).toEqual(unknown);
    expect(hidden.structuredContent.error).toMatchObject({ code: 'not_found' });
  });

  it('has no resources of another user', async () => {
    const uris = [`mneme://memory/${ids.memory}`, 'mneme://entity/user/bob/profile'];

    const answers = await Promise.all(uris.map((uri) => alice.request('resources/read', { uri })));
    const agent = await alice.request('resources/read', {
      uri: 'mneme://entity/agent/digger/profile',
    });
    const { result } = await alice.request('resources/list');

    expect(answers.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining('not found'),
      expect.stringContaining('not found'),
    ]);
    expect(JSON.stringify([agent, result])).not.toMatch(/gold|bob/);
  });

  it('still remembers for its own user', async () => {
    const added = await callOverWire(alice, 'add_memory', { text: 'Keeps bees' });
    const found = await callOverWire(alice, 'search_memories', { query: 'bees' });
    const listed = await callOverWire(alice, 'list_entities', {});

    expect(added.structuredContent.scope).toEqual({ user_id: 'alice' });
    expect(found.structuredContent.results).toMatchObject([{ memory: 'Keeps bees' }]);
    expect(listed.structuredContent.results).toMatchObject([{ id: 'alice', type: 'user' }]);
  });
});

async function seed(): Promise<typeof ids> {
  const text = `Bob ${secret}`;
  const metadata = { place: 'oak' };
  const stored = await callOverWire(bob, 'add_memory', { text, metadata });
  const shared = await callOverWire(bob, 'add_memory', { text: `I ${secret}`, agent_id: 'digger' });
  const messages = [{ role: 'user', content: `Yesterday I ${secret} with my spade.` }];
  const queued = await callOverWire(bob, 'add_memory', { messages });
  const own = await callOverWire(alice, 'add_memory', { text: 'Alice likes tea' });
  return {
    memory: firstId(stored),
    event: String(stored.structuredContent.event_id),
    queued: String(queued.structuredContent.event_id),
    shared: firstId(shared),
    own: firstId(own),
  };
}

function firstId({ structuredContent }: ToolResult): string {
  const [result] = structuredContent.results as { id: string }[];
  return String(result?.id);
}

/** Alice's own request may be quoted back to her, but nothing that Bob stored. */
function expectNothingOfBob(answer: ToolResult): void {
  const shown = JSON.stringify(answer);
  expect(shown).not.toMatch(/gold|oak|spade|digger.*total_memories/);
}

/** Rows of each table that are Bob's. */
function everythingOfBob(): Promise<unknown[][]> {
  const ofBob = "where user_id = 'bob'";
  return Promise.all([
    query(data_dir, `select * from memories ${ofBob} order by position`),
    query(data_dir, `select * from history ${ofBob} order by position`),
    query(data_dir, `select * from events ${ofBob} order by position`),
    query(data_dir, 'select * from feedback'),
    query(data_dir, "select * from entities where id in ('bob', 'digger') order by key"),
  ]);
}
