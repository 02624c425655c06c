import { beforeEach, describe, expect, it } from 'vitest';
import type { McpOptions } from '../../src/mcp/server.ts';
import {
  callOn,
  connect,
  connectFirst,
  dataOf,
  type Elicited,
  optionsFor,
  scripted,
  textOf,
} from './support.ts';

const memory = { id: 'id-1', memory: 'Alice likes tea', created_at: '2026-01-02T03:04:05.000Z' };
const deleted = { message: 'Deleted', deleted: 2, event_id: 'event' };
const minute = 60_000;

let total: number;
let now: number;
let port: ReturnType<typeof scripted>;

beforeEach(() => {
  total = 2;
  now = Date.parse('2026-01-02T03:04:05Z');
  port = scripted({
    get_memories: () => ({ results: [memory], total, page: 1, page_size: 3 }),
    list_changes: () => ({ results: [], cursor: 'cursor', has_more: false }),
    resolve_ids: ({ short_ids }) => ({
      results: (short_ids as string[]).map((short_id) => ({ short_id, ids: [someId()], total: 1 })),
    }),
    delete_all_memories: () => deleted,
    batch_delete_memories: () => deleted,
    erase_memories: () => deleted,
    delete_entity: () => deleted,
  });
});

const options = (changes: Partial<McpOptions> = {}) =>
  optionsFor(port.invoke, { now: () => now, ...changes });
const looks = ['get_memories', 'list_changes', 'resolve_ids'];
const deletions = () => port.calls.filter(({ name }) => !looks.includes(name));

type Refused = {
  confirm?: (token: string) => string;
  name?: string;
  args?: object;
  changes?: Partial<McpOptions>;
  later?: number;
};

const clients = [
  [
    'the newer SDK, older protocol',
    (answer: Elicited, asked: string[]) => connect(options(), 'legacy', { answer, asked }),
  ],
  [
    'the newer SDK, newer protocol',
    (answer: Elicited, asked: string[]) => connect(options(), 'auto', { answer, asked }),
  ],
  [
    'the older SDK',
    (answer: Elicited, asked: string[]) => connectFirst(options(), { answer, asked }),
  ],
] as const;

describe('a dry run', () => {
  it.each([
    ['delete_all_memories', { user_id: 'alice' }, { AND: [{ user_id: 'alice' }] }],
    [
      'delete_all_memories',
      { filters: { categories: 'food' }, agent_id: 'bot' },
      { AND: [{ agent_id: 'bot' }, { categories: 'food' }] },
    ],
    ['batch_delete_memories', { memory_ids: [someId()] }, { AND: [{ id: { in: [someId()] } }] }],
    ['erase_memories', { memory_ids: [someId()] }, { AND: [{ id: { in: [someId()] } }] }],
    [
      'erase_memories',
      { memory_ids: [someId()], user_id: 'alice' },
      { AND: [{ id: { in: [someId()] } }, { user_id: 'alice' }] },
    ],
    ['erase_memories', { run_id: 'monday' }, { AND: [{ run_id: 'monday' }] }],
    ['delete_entity', { entity_type: 'app', entity_id: 'cafe' }, { app_id: 'cafe' }],
    ['delete_entities', { app_id: 'cafe' }, { app_id: 'cafe' }],
  ])('of %s counts and deletes nothing', async (name, args, filters) => {
    const result = await callOn(options())(name, { ...args, dry_run: true });

    expect(textOf(result)).toContain('2 memories');
    expect(textOf(result)).toContain('Dry run: nothing was deleted.');
    expect(dataOf(result)).toMatchObject({
      would_delete: 2,
      samples: [{ id: 'id-1', memory: 'Alice likes tea', date: '2026-01-02' }],
    });
    const counted = port.calls.filter(({ name: asked }) => asked === 'get_memories');
    expect(counted).toHaveLength(1);
    expect(deletions()).toEqual([]);
    expect(counted[0]?.input).toMatchObject({
      filters,
      page_size: 3,
      show_expired: true,
      latest_only: false,
    });
  });

  it('counts also where nothing asks for confirmation', async () => {
    const call = callOn(options({ confirm_destructive: false }));

    const result = await call('delete_all_memories', { user_id: 'alice', dry_run: 'true' });

    expect(dataOf(result)).toMatchObject({ would_delete: 2 });
    expect(deletions()).toEqual([]);
  });
});

describe('delete_entities, as the hosted service calls it,', () => {
  it.each([
    ['user', { user_id: 'alice' }],
    ['agent', { agent_id: 'alice', user_id: null }],
    ['app', { app_id: 'alice' }],
    ['run', { run_id: 'alice', entity_type: 'run' }],
  ])('asks before it erases a %s', async (entity_type, args) => {
    const call = callOn(options());

    const first = await call('delete_entities', args);
    const before = deletions().length;
    const second = await call('delete_entities', { ...args, confirm: tokenOf(first) });

    expect([first.isError, before, second.isError]).toEqual([undefined, 0, undefined]);
    expect(textOf(first)).toContain(
      `${entity_type} "alice" with 2 memories would be erased for good; this cannot be undone`,
    );
    const input = { entity_type, entity_id: 'alice' };
    expect(deletions()).toEqual([{ name: 'delete_entity', input }]);
  });

  it('needs a new confirmation for another entity of the same id', async () => {
    const call = callOn(options());
    const confirm = tokenOf(await call('delete_entities', { user_id: 'alice' }));

    const result = await call('delete_entities', { agent_id: 'alice', confirm });

    expect(result.isError).toBe(true);
    expect(deletions()).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, 'entity_id'],
    [{ user_id: '' }, 'user_id: must not be ""'],
    [{ user_id: 'null' }, 'user_id: must not be "null"'],
    [{ entity_type: 'user', entity_id: 'undefined' }, 'entity_id: must not be'],
    [{ user_id: '*' }, '"*" means any'],
    [{ user_id: ['alice', 'bob'] }, 'entity_id'],
    [{ user_id: 'alice', agent_id: 'bob' }, 'agent_id: names a second entity'],
    [{ user_id: 'alice', entity_type: 'user', entity_id: 'bob' }, 'names a second entity'],
    [{ user_id: 'alice', entity_type: 'agent' }, 'names a second entity'],
  ])('refuses %j', async (args, problem) => {
    const result = await callOn(options({ confirm_destructive: false }))('delete_entities', args);

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(problem);
    expect(port.calls).toEqual([]);
  });

  it('erases nobody by default, whatever the scope', async () => {
    const call = callOn(options({ scope: { user_id: 'alice' }, confirm_destructive: false }));

    const result = await call('delete_entities', {});

    expect(result.isError).toBe(true);
    expect(port.calls).toEqual([]);
  });

  it('is accepted from a client that has listed the tools', async () => {
    const client = await connect(options({ confirm_destructive: false }));
    await client.listTools();

    await client.callTool({ name: 'delete_entities', arguments: { user_id: 'alice' } });

    const input = { entity_type: 'user', entity_id: 'alice' };
    expect(deletions()).toEqual([{ name: 'delete_entity', input }]);
  });
});

describe('a client that can show no form', () => {
  it('gets a token first, and deletes by repeating the call with it', async () => {
    const call = callOn(options());
    const args = { user_id: 'alice', filters: { categories: 'food' } };

    const first = await call('delete_all_memories', args);
    const before = deletions().length;
    const second = await call('delete_all_memories', { ...args, confirm: tokenOf(first) });

    expect(first.isError).toBeFalsy();
    expect(before).toBe(0);
    expect(textOf(first)).toContain('Nothing was deleted yet.');
    expect(textOf(first)).toContain(`confirm: "${tokenOf(first)}"`);
    expect(textOf(second)).toContain('Deleted');
    expect(deletions()).toEqual([{ name: 'delete_all_memories', input: args }]);
  });

  it.each<[string, Refused]>([
    ['a made-up token', { confirm: () => 'abc.def' }],
    ['a tampered token', { confirm: (token) => `${token.slice(0, -1)}_` }],
    ['a later expiry', { confirm: (token) => `zzzzzz.${token.split('.')[1]}` }],
    ['other arguments', { args: { user_id: 'bob' } }],
    ['more arguments', { args: { user_id: 'alice', agent_id: 'bot' } }],
    ['another tool', { name: 'delete_entity', args: { entity_type: 'user', entity_id: 'alice' } }],
    ['another scope', { changes: { scope: { project_id: 'other' } } }],
    ['another secret', { changes: { secret: async () => 'other' } }],
    ['an expired token', { later: 6 * minute }],
  ])('deletes nothing with %s', async (_, refused) => {
    const first = await callOn(options())('delete_all_memories', { user_id: 'alice' });
    now += refused.later ?? 0;
    const call = callOn(options(refused.changes));
    const confirm = (refused.confirm ?? ((token) => token))(tokenOf(first));

    const second = await call(refused.name ?? 'delete_all_memories', {
      ...(refused.args ?? { user_id: 'alice' }),
      confirm,
    });

    expect(second.isError).toBe(true);
    expect(textOf(second)).toContain('nothing was deleted');
    expect(deletions()).toEqual([]);
  });

  it('may spell the same request in another way', async () => {
    const call = callOn(options({ scope: { user_id: 'alice' } }));

    const first = await call('delete_all_memories', { filters: { agent_id: 'b', app_id: 'c' } });
    const second = await call('delete_all_memories', {
      filters: { app_id: 'c', agent_id: 'b' },
      user_id: 'alice',
      confirm: tokenOf(first),
    });

    expect(second.isError).toBeFalsy();
    expect(deletions()).toHaveLength(1);
  });
});

describe.each(clients)('a client that shows a form: %s', (_, start) => {
  const call = { name: 'delete_all_memories', arguments: { user_id: 'alice' } };

  it('deletes once its user confirms', async () => {
    const asked: string[] = [];
    const client = await start({ action: 'accept', content: { confirm: true } }, asked);

    const result = await client.callTool(call);

    expect(asked).toEqual(['Delete 2 memories of user_id "alice"?']);
    expect(textOf(result)).toContain('Deleted');
    expect(deletions()).toHaveLength(1);
  });

  it.each<[string, Elicited]>([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['leaves the box empty', { action: 'accept', content: { confirm: false } }],
  ])('deletes nothing when its user %s', async (_action, answer) => {
    const client = await start(answer, []);

    const result = await client.callTool(call);

    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toContain('nothing was deleted');
    expect(deletions()).toEqual([]);
  });
});

describe('an answer that nobody asked for', () => {
  const confirmed = { elicits: true, answer: 'confirmed' } as const;

  it.each([
    ['made up', 'abc.def'],
    ['missing', undefined],
  ])('deletes nothing when its state is %s', async (_, state) => {
    const call = callOn(options(), { ...confirmed, state });

    await call('delete_all_memories', { user_id: 'alice' });

    expect(deletions()).toEqual([]);
  });

  it('deletes nothing when its state is the token of a model', async () => {
    const args = { user_id: 'alice' };
    const first = await callOn(options())('delete_all_memories', args);

    const call = callOn(options(), { ...confirmed, state: tokenOf(first) });
    const result = await call('delete_all_memories', args);

    expect(result.isError).toBe(true);
    expect(deletions()).toEqual([]);
  });
});

describe('when nothing matches', () => {
  it.each([
    ['delete_all_memories', { user_id: 'alice' }],
    ['batch_delete_memories', { memory_ids: [someId()] }],
  ])('%s says so and deletes nothing', async (name, args) => {
    total = 0;

    const result = await callOn(options())(name, args);

    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toContain('No memory matches: nothing was deleted.');
    expect(deletions()).toEqual([]);
  });

  it.each([{ memory_ids: [someId()] }, { user_id: 'alice' }])(
    'erase_memories of %j asks all the same, because deleted ones may match',
    async (args) => {
      total = 0;
      const call = callOn(options());

      const first = await call('erase_memories', args);
      await call('erase_memories', { ...args, confirm: tokenOf(first) });

      expect(textOf(first)).toContain('and what is left of deleted ones, would be erased for good');
      expect(deletions()).toMatchObject([{ name: 'erase_memories', input: args }]);
    },
  );

  it.each(['batch_delete_memories', 'erase_memories'])(
    '%s asks nobody about an id that names nothing',
    async (name) => {
      const memory_ids = [someId(), '0199a6b2-0000-7000-8000-0001abcdef12'];

      const result = await callOn(options())(name, { memory_ids });

      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('memory abcdef12 not found; nothing was deleted');
      expect(deletions()).toEqual([]);
    },
  );

  it('delete_entity still deletes the entity, without asking', async () => {
    total = 0;

    await callOn(options())('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    expect(deletions()).toHaveLength(1);
  });
});

describe('what never reaches an operation', () => {
  it.each(['delete_all_memories', 'get_memories'])('are own fields of %s', async (name) => {
    const own = name === 'get_memories' ? { response_format: 'detailed' } : { dry_run: false };

    await callOn(options({ confirm_destructive: false }))(name, { user_id: 'alice', ...own });

    expect(port.calls.at(-1)?.input).toEqual({ user_id: 'alice' });
  });

  it('is an erasure that names nothing, whatever the scope', async () => {
    const changes = { scope: { user_id: 'alice' }, confirm_destructive: false };
    const call = callOn(options(changes));

    for (const args of [{}, { project_id: 'default' }, { dry_run: true }]) {
      const result = await call('erase_memories', args);

      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(
        'needs one of memory_ids, user_id, agent_id, run_id, filters',
      );
    }
    expect(port.calls).toEqual([]);
  });

  it('is a delete without a condition', async () => {
    const result = await callOn(options())('delete_all_memories', {});

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('name at least one condition');
    expect(port.calls).toEqual([]);
  });
});

function tokenOf(result: { structuredContent?: unknown }): string {
  return String(dataOf(result).confirm);
}

function someId(): string {
  return '0197a6b2-0000-7000-8000-000000000000';
}
