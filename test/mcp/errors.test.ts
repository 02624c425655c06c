import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ApiError, type ErrorCode } from '../../src/contract/errors.ts';
import { type Engine, startEngine } from '../support/engine.ts';
import { toolNames } from '../support/tool-names.ts';
import { callOn, connect, dataOf, optionsFor, scripted, textOf, toolSetOf } from './support.ts';

const someId = '0197a6b2-0000-7000-8000-000000000000';

/** A tool, arguments that it refuses, and what it says of them. */
const mistakes = [
  [
    'search_memories',
    { quer: 'tea' },
    'unknown argument "quer" of search_memories. Did you mean "query"?',
  ],
  ['search_memories', { query: 'tea', entity_id: 'bob' }, 'unknown argument "entity_id"'],
  ['get_memories', { entity_type: 'user', entity_id: 'bob' }, 'unknown argument "entity_type"'],
  ['delete_memory', { memory_id: someId, dry_run: true }, 'unknown argument "dry_run"'],
  ['search_memories', {}, 'query'],
  ['search_memories', { query: 7 }, 'query'],
  ['search_memories', { query: 'tea', top_k: 0 }, 'top_k'],
  ['search_memories', { query: 'tea', top_k: 'many' }, 'top_k'],
  ['search_memories', { query: 'tea', filters: 'user is bob' }, 'filters'],
  ['search_memories', { query: 'tea', filters: { colour: 'red' } }, 'unknown field "colour"'],
  ['search_memories', { query: 'tea', filters: nested(50) }, 'nested too deep'],
  ['search_memories', { query: 'tea', filters: JSON.stringify(nested(2_000)) }, 'nested too'],
  ['search_memories', { query: 'tea', response_format: 'long' }, 'response_format'],
  ['search_memories', { query: 'x'.repeat(100_001) }, 'query'],
  ['add_memory', { user_id: 'alice' }, 'messages'],
  ['add_memory', { text: 'tea' }, 'user_id'],
  ['add_memory', { text: 'x'.repeat(32_001), user_id: 'alice' }, 'holds 32001 characters'],
  ['add_memory', { text: 'tea', user_id: 'alice', metadata: proto() }, '__proto__'],
  ['add_memory', { text: 'tea', user_id: ['alice'] }, 'user_id'],
  ['get_memory', { memory_id: 'not-a-uuid' }, 'memory_id: is not the id of a memory: its last 8'],
  ['batch_delete_memories', { memory_ids: [someId, 'abc'] }, 'its last 8 digits, or the whole id'],
  ['get_memory', {}, 'memory_id'],
  ['update_memory', { memory_id: someId }, 'nothing to update'],
  ['batch_delete_memories', { memory_ids: Array.from({ length: 1001 }, () => someId) }, '1001'],
  ['delete_entity', { entity_type: 'robot', entity_id: 'x' }, 'entity_type'],
  ['delete_all_memories', { user_id: 'alice', dry_run: 'maybe' }, 'dry_run'],
  ['delete_all_memories', { user_id: 'alice', confirm: 7 }, 'confirm'],
  ['list_events', { status: 'DONE' }, 'status'],
].map(([name, args, problem]) => [String(name), String(problem), Object(args)] as const);

describe('a call that is wrong', () => {
  const call = callOn(optionsFor(scripted({}).invoke));

  it.each(mistakes)('of %s says what: %s', async (name, problem, args) => {
    const result = await call(name, args);

    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Error \(invalid\): /);
    expect(textOf(result)).toContain(problem);
    expect(textOf(result).length).toBeLessThan(1_000);
    expect(dataOf(result)).toMatchObject({ error: { code: 'invalid', next: expect.any(String) } });
  });

  it.each([
    ['a list', [1]],
    ['text', 'query=tea'],
    ['a number', 7],
  ])('says that its arguments are no object but %s', async (_, args) => {
    const result = await call('search_memories', args as object);

    expect(textOf(result)).toContain('arguments: must be an object');
  });
});

describe('foreign names', () => {
  it('of fields are understood', async () => {
    const { invoke, calls } = scripted({ search_memories: () => ({ results: [] }) });
    const call = callOn(optionsFor(invoke));

    await call('search_memories', { query: 'tea', limit: 3, rerank: true, org_id: null });

    expect(calls[0]?.input).toMatchObject({ query: 'tea', limit: 3, rerank: true });
  });

  it.each([
    ['search_memory', { query: 'tea' }, 'search_memories'],
    ['add_memories', { text: 'tea', user_id: 'alice' }, 'add_memory'],
    ['get_event_status', { event_id: someId }, 'get_event'],
  ] as const)('of tools are understood: %s', async (name, args, operation) => {
    const answer = () => ({ results: [] });
    const { invoke, calls } = scripted({ [operation]: answer });

    const result = await callOn(optionsFor(invoke))(name, args);

    expect(result.isError).toBeFalsy();
    expect(calls[0]?.name).toBe(operation);
  });
});

describe('a tool that is not offered', () => {
  it('is unknown by a name that nobody knows', async () => {
    const client = await connect(optionsFor(scripted({}).invoke));

    const call = client.callTool({ name: 'search_memoris', arguments: {} });

    await expect(call).rejects.toThrow(
      'Unknown tool "search_memoris". Did you mean "search_memories"?',
    );
  });

  it.each([
    [{ read_only: true }, 'this server is read-only: delete_memory would write'],
    [{ toolsets: toolSetOf('events') }, 'delete_memory is switched off on this server'],
    [{ exclude_tools: ['delete_memory'] }, 'delete_memory is switched off on this server'],
  ])('says why with %j', async (changes, reason) => {
    const { invoke, calls } = scripted({});
    const call = callOn(optionsFor(invoke, changes));

    const result = await call('delete_memory', { memory_id: someId });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(reason);
    expect(calls).toEqual([]);
  });
});

describe('an operation that refuses', () => {
  it.each([
    [[], 'No such id. manage_project create with a name makes one.'],
    [['manage_project'], 'No such id. mneme call create_project with a name makes one.'],
  ])('and names another is read as a call of this client, without %j', async (without, told) => {
    const { invoke } = scripted({
      get_memories: () => {
        const next = 'No such id. create_project with a name makes one.';
        throw new ApiError('not_found', 'project not found', { next });
      },
    });
    const call = callOn({ ...optionsFor(invoke), exclude_tools: without });

    const result = await call('get_memories', { user_id: 'ann' });

    expect(textOf(result)).toBe(`Error (not_found): project not found\n${told}`);
  });

  it.each<[ErrorCode, string]>([
    ['not_found', 'Call search_memories to find the id.'],
    ['conflict', 'Add a new memory instead'],
    ['forbidden', 'may only read'],
    ['rate_limited', 'Wait a little'],
    ['unavailable', 'Wait a little'],
  ])('with %s tells the next call to make', async (code, next) => {
    const { invoke } = scripted({
      get_memory: () => {
        throw new ApiError(code, 'what is wrong');
      },
    });

    const result = await callOn(optionsFor(invoke))('get_memory', { memory_id: someId });

    expect(textOf(result)).toContain(`Error (${code}): what is wrong`);
    expect(textOf(result)).toContain(next);
  });

  it.each([
    ['get_event', { event_id: someId }, 'Call list_events to find the id.'],
    ['delete_entity', { entity_type: 'user', entity_id: 'x' }, 'Call list_entities to find'],
  ] as const)('to find something tells where to look: %s', async (name, args, next) => {
    const { invoke } = scripted({
      get_memories: () => ({ results: [], total: 0 }),
      list_changes: () => ({ results: [], cursor: '', has_more: false }),
      [name]: () => {
        throw new ApiError('not_found', 'not found');
      },
    });

    expect(textOf(await callOn(optionsFor(invoke))(name, args))).toContain(next);
  });

  it.each([
    ['a bug', new TypeError("Cannot read properties of undefined (reading 'x')")],
    ['an internal error', new ApiError('internal', 'SQLITE_CORRUPT at /srv/data/mneme.db')],
    ['no error at all', 'a string'],
  ])('by %s answers nothing of it, and logs it', async (_, error) => {
    const logged: unknown[] = [];
    const { invoke } = scripted({
      get_memory: () => {
        throw error;
      },
    });
    const options = optionsFor(invoke, { log: (...line) => logged.push(line) });

    const result = await callOn(options)('get_memory', { memory_id: someId });

    expect(textOf(result)).toBe(
      'Error (internal): internal error\nTry again later; the server has logged it.',
    );
    expect(logged).toEqual([
      ['error', 'request failed', expect.objectContaining({ tool: 'get_memory', error })],
    ]);
  });
});

describe('the protocol', () => {
  it.each(['legacy', 'auto'] as const)('refuses what it does not know, %s', async (era) => {
    const client = await connect(optionsFor(scripted({}).invoke), era);
    const request = (method: string, params: Record<string, unknown>) =>
      client.request({ method, params }, z.looseObject({}));

    await expect(request('memories/steal', {})).rejects.toThrow();
    await expect(request('tools/call', { name: 7 })).rejects.toThrow();
    await expect(request('resources/read', {})).rejects.toThrow();
    expect((await client.listTools()).tools).toHaveLength(toolNames.length);
  });
});

describe('hostile text', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(async () => {
    await engine.stop();
  });

  it.each([
    '"',
    '*',
    'NEAR(',
    'a AND',
    "'; DROP TABLE memories; --",
    '\u0000\u202Ereversed\u{E0041}',
    '\uD800 lone',
    '   ',
    'x'.repeat(2_000),
  ])('is searched without harm: %j', async (query) => {
    const call = callOn(optionsFor(engine.invoke, { scope: { user_id: 'alice' } }));

    const result = await call('search_memories', { query });

    expect(textOf(result)).not.toContain('internal');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'is no way into the program as a name: %s',
    async (name) => {
      const call = callOn(optionsFor(engine.invoke, { scope: { user_id: 'alice' } }));
      const args = JSON.parse(`{"query": "tea", ${JSON.stringify(name)}: {"user_id": "bob"}}`);

      const result = await call('search_memories', args);

      expect(textOf(result)).toContain(`unknown argument "${name}"`);
      await expect(call(name, {})).rejects.toThrow('Unknown tool');
    },
  );
});

function nested(depth: number): object {
  let filter: object = { user_id: 'alice' };
  for (let level = 0; level < depth; level += 1) filter = { AND: [filter] };
  return filter;
}

function proto(): object {
  return JSON.parse('{"__proto__": {"admin": true}}');
}
