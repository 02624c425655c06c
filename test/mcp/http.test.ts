import { describe, expect, it } from 'vitest';
import { createMcpServer, type McpOptions } from '../../src/mcp/server.ts';
import { createDeferred } from '../support/deferred.ts';
import { toolNames } from '../support/tool-names.ts';
import {
  caller,
  connectHttp,
  elicits,
  httpOn,
  messageOf,
  messagesOf,
  openSession,
  post,
  toolCall,
} from './http-support.ts';
import { dataOf, scripted, textOf } from './support.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const memory = { id, memory: 'Likes tea', user_id: 'ada' };
const list = { results: [memory], total: 1, page: 1, page_size: 3 };
const unchanged = { results: [], cursor: 'cursor', has_more: false };
const removal = { message: 'Deleted', deleted: 1, event_id: id };
const eras = [['auto'], ['legacy']] as const;

/** The server of the product with a tool that says how far it is. */
function slowly(options: McpOptions) {
  const server = createMcpServer(options);
  server.setRequestHandler('tools/call', async (_request, { mcpReq }) => {
    for (const progress of [1, 2]) {
      const params = { progressToken: mcpReq._meta?.progressToken ?? '', progress };
      await mcpReq.notify({ method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  return server;
}

describe('the face over HTTP', () => {
  it.each(eras)('serves tools, prompts and resources to a client (%s)', async (mode) => {
    const { invoke } = scripted({ get_memory: () => memory });
    const client = await connectHttp(httpOn(invoke), { mode });

    const { tools } = await client.listTools();
    const got = await client.callTool({ name: 'get_memory', arguments: { memory_id: id } });
    const { prompts } = await client.listPrompts();
    const read = await client.readResource({ uri: `mneme://memory/${id}` });

    expect(tools).toHaveLength(toolNames.length);
    expect(dataOf(got)).toMatchObject({ memory: 'Likes tea' });
    expect(prompts).toHaveLength(3);
    expect(JSON.stringify(read)).toContain('Likes tea');
  });

  it.each(eras)('asks the user of a client before it deletes in bulk (%s)', async (mode) => {
    const { invoke, calls } = scripted({
      get_memories: () => list,
      list_changes: () => unchanged,
      delete_all_memories: () => removal,
    });
    const asked: string[] = [];
    const answer = { action: 'accept', content: { confirm: true } } as const;
    const client = await connectHttp(httpOn(invoke), { mode, answer, asked });

    await client.callTool({ name: 'delete_all_memories', arguments: { user_id: 'ada' } });

    expect(asked).toEqual([expect.stringContaining('Delete 1 memory of user_id "ada"')]);
    expect(calls.at(-1)?.name).toBe('delete_all_memories');
  });

  it.each(eras)('gives a client without forms a token instead (%s)', async (mode) => {
    const { invoke, calls } = scripted({
      get_memories: () => list,
      list_changes: () => unchanged,
      delete_all_memories: () => removal,
    });
    const client = await connectHttp(httpOn(invoke), { mode });
    const args = { user_id: 'ada' };

    const first = await client.callTool({ name: 'delete_all_memories', arguments: args });
    const { confirm } = dataOf(first);
    await client.callTool({ name: 'delete_all_memories', arguments: { ...args, confirm } });

    expect(calls.at(-1)?.name).toBe('delete_all_memories');
  });

  it('takes no confirmation that another caller was given', async () => {
    const { invoke, calls } = scripted({ get_memories: () => list, list_changes: () => unchanged });
    const http = httpOn(invoke);
    const mine = await connectHttp(http);
    const theirs = await connectHttp(http, { caller: { ...caller, account_id: 'account-2' } });
    const args = { user_id: 'ada' };

    const first = await mine.callTool({ name: 'delete_all_memories', arguments: args });
    const { confirm } = dataOf(first);
    const stolen = { ...args, confirm };
    const refused = await theirs.callTool({ name: 'delete_all_memories', arguments: stolen });

    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('nothing was deleted');
    expect(calls.map(({ name }) => name)).not.toContain('delete_all_memories');
  });

  it('offers a key that may only read the tools that read', async () => {
    const { invoke, calls } = scripted({});
    const reader = { ...caller, read_only: true };
    const client = await connectHttp(httpOn(invoke), { caller: reader });

    const { tools } = await client.listTools();
    const args = { text: 'x', user_id: 'ada' };
    const refused = await client.callTool({ name: 'add_memory', arguments: args });

    expect(tools.map(({ name }) => name)).not.toContain('add_memory');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect(textOf(refused)).toContain('read-only');
    expect(calls).toEqual([]);
  });

  it.each(eras)('sends at once what a tool tells while it works (%s)', async (mode) => {
    const client = await connectHttp(httpOn(scripted({}).invoke, { createServer: slowly }), {
      mode,
    });
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => steps.push(progress);

    const result = await client.callTool({ name: 'slow', arguments: {} }, { onprogress });

    expect(steps).toEqual([1, 2]);
    expect(textOf(result)).toBe('done');
  });

  it('sends the result alone to a client that reads no streams', async () => {
    const http = httpOn(scripted({}).invoke, { createServer: slowly });
    const { params, ...call } = toolCall('slow');
    const body = { ...call, params: { ...params, _meta: { progressToken: 'p' } } };

    const answer = await post(http, body, { accept: 'application/json' });

    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });

  it('reads parameters and arguments of null as absent', async () => {
    const http = httpOn(scripted({ list_entities: () => list }).invoke);
    const session = await openSession(http);

    const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null };
    const called = { ...toolCall('list_entities', {}, 2) };
    const params = { ...Object(called).params, arguments: null };
    const listed = await messageOf(await post(http, tools, { session }));
    const answer = await messageOf(await post(http, { ...called, params }, { session }));

    expect(listed).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    expect(answer).toMatchObject({ id: 2, result: { content: expect.any(Array) } });
  });

  it('names what requests are about, and nothing that a caller made up', () => {
    const http = httpOn(scripted({}).invoke);

    expect(http.nameOf(toolCall('add_memory'))).toBe('mcp:add_memory');
    expect(http.nameOf(toolCall('made_up'))).toBe('mcp:tools/call');
    expect(http.nameOf({ method: 'tools/list' })).toBe('mcp:tools/list');
    expect([{ method: 'made/up' }, [], null, 'x'].map(http.nameOf)).toEqual(Array(4).fill('mcp'));
  });

  it('says which revisions it knows when a client of the newer era asks for another', async () => {
    const http = httpOn(scripted({}).invoke);
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };

    const answer = await post(http, body, { version: '2031-01-01' });

    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain('2026-07-28');
  });
});

describe('closing', () => {
  it.each(eras)('lets a call in progress end (%s)', async (mode) => {
    const answer = createDeferred();
    const { invoke, calls } = scripted({ get_memory: () => answer.promise.then(() => memory) });
    const http = httpOn(invoke);
    const client = await connectHttp(http, { mode });

    const call = client.callTool({ name: 'get_memory', arguments: { memory_id: id } });
    await expect.poll(() => calls.length).toBe(1);
    const closed = http.close();
    answer.resolve();
    await closed;

    expect(dataOf(await call)).toMatchObject({ memory: 'Likes tea' });
  });

  it('takes back what it asks people, and the call says why', async () => {
    const { invoke, calls } = scripted({ get_memories: () => list, list_changes: () => unchanged });
    const http = httpOn(invoke);
    const session = await openSession(http, elicits);
    const call = toolCall('delete_all_memories', { user_id: 'ada' });
    const messages = messagesOf(await post(http, call, { session }));
    await messages.next();

    await http.close();
    const { value } = await messages.next();

    expect(textOf(value?.result ?? {})).toContain('the server is shutting down');
    expect(calls.map(({ name }) => name)).toEqual(['list_changes', 'get_memories']);
  });

  it('ends streams that wait for changes', async () => {
    const http = httpOn(scripted({}).invoke);
    const client = await connectHttp(http, { mode: 'auto' });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: {}, _meta };
    const body = { jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params };
    const headers = { 'Mcp-Method': 'subscriptions/listen' };
    const stream = await post(http, body, { version: '2026-07-28', headers });

    await http.close();
    const said: unknown[] = [];
    for await (const message of messagesOf(stream)) said.push(message);

    expect(stream.headers.get('Content-Type')).toContain('event-stream');
    expect(JSON.stringify(said.at(-1))).toContain('"id":"l"');
    await client.close();
  });
});

describe('a tool that takes too long', () => {
  it.each(eras)('is stopped, and its caller is told (%s)', async (mode) => {
    const signals: (AbortSignal | undefined)[] = [];
    const http = httpOn(
      (_name, _input, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      { tool_timeout_ms: 100 },
    );
    const client = await connectHttp(http, { mode });

    const args = { memory_id: id };
    const read = await client.callTool({ name: 'get_memory', arguments: args });
    const write = await client.callTool({ name: 'delete_memory', arguments: args });

    expect([read.isError, write.isError]).toEqual([true, true]);
    expect(textOf(read)).toContain('get_memory took longer than 100 ms and was stopped');
    expect(textOf(write)).toContain('it may have taken effect');
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('may wait for what an add stores beyond that', async () => {
    const done = { message: 'stored', status: 'SUCCEEDED', event_id: id, results: [] };
    const storing = createDeferred();
    const invoke = async (name: string) => {
      await (name === 'add_memory' ? storing.promise : new Promise(() => {}));
      return done as never; // a script is not typed by operation
    };
    const http = httpOn(invoke, { tool_timeout_ms: 100, add_wait_ms: 5_000 });
    const client = await connectHttp(http);

    const args = { messages: 'I moved', user_id: 'ada' };
    const adding = client.callTool({ name: 'add_memory', arguments: args });
    const read = await client.callTool({ name: 'get_memory', arguments: { memory_id: id } });
    storing.resolve();

    expect(textOf(read)).toContain('was stopped');
    expect(dataOf(await adding)).toMatchObject({ status: 'SUCCEEDED' });
  });
});

describe('a batch of the older era', () => {
  it('is answered as a whole', async () => {
    const { invoke } = scripted({ get_memory: () => memory });
    const http = httpOn(invoke);
    const batch = [
      toolCall('get_memory', { memory_id: id }, 'a'),
      { ...toolCall('nope'), id: 'b' },
    ];

    const answer = await post(http, batch, { version: '2025-03-26' });
    const said: unknown[] = [];
    for await (const message of messagesOf(answer)) said.push(message);

    expect(answer.status).toBe(200);
    expect(said).toMatchObject([{ id: expect.anything() }, { id: expect.anything() }]);
  });

  it('is refused when it is empty, too long or holds what is no message', async () => {
    const http = httpOn(scripted({}).invoke);
    const long = Array.from({ length: 101 }, (_, index) => toolCall('get_memory', {}, index));

    const answers = await Promise.all([[], long, [1, 2]].map((batch) => post(http, batch)));

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await messageOf(answers[1] as Response)).error?.message).toContain('100');
  });
});
