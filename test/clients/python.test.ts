import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/service.ts';
import { type Call, calls, type Known } from './python-calls.ts';
import { firstId } from './sdks.ts';
import { type Server, startServer } from './server.ts';

/** As httpx sends them: the Python client names itself by a hash of its key. */
const headers = {
  'Mem0-User-ID': '968ea27080a83ccbcc25313638011819',
  'User-Agent': 'python-httpx/0.28.1',
  Accept: '*/*',
};

describe('the Python client, by the requests that it was seen to send', () => {
  let server: Server;
  let known: Known;
  const ask = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { headers, ...(body !== undefined && { body }) });

  beforeAll(async () => {
    server = await startServer();
    const { org_id, project_id } = (await ask('GET', '/v1/ping/')).body as Known;
    const add = async (content: string, of: object) => {
      const messages = [{ role: 'user', content }];
      return firstId((await ask('POST', '/v3/memories/add/', { messages, ...of })).body);
    };
    const memory_id = await add('first', { user_id: 'alice', infer: false });
    const other_id = await add('second', { user_id: 'al ice/x', infer: false });
    known = { org_id, project_id, memory_id, other_id, export_id: '', webhook_id: '' };
  });
  afterAll(() => server.stop());

  it.each(calls)('$call', async ({ method, path, body, status = 200, answer }: Call) => {
    const request = () => ask(method, path(known), body?.(known));

    // An export is ready after a moment; until then the client's user asks again.
    const got = await until(request, (last) => last.status !== 202);

    expect(got).toMatchObject({ status, body: expect.anything() });
    expect(got.headers.get('Content-Type')).toBe('application/json');
    expect(got.body).toMatchObject(answer as object); // all of them describe JSON
    const { id, webhook_id } = got.body as Record<string, string>;
    if (status === 201 && id !== undefined) known.export_id = id;
    if (webhook_id !== undefined) known.webhook_id = webhook_id;
  });

  it('refuses a wrong key with a detail, which its constructor shows', async () => {
    const { status, body } = await server.send('GET', '/v1/ping/', { headers, key: 'mk_wrong' });

    expect({ status, body }).toMatchObject({
      status: 401,
      body: { detail: expect.stringMatching(/key/i) },
    });
  });
});

/** The published MCP server is built on the Python client; these are the requests of its tools. */
describe('mem0-mcp 0.2.1, by the requests that it was seen to send', () => {
  let server: Server;
  let id: string;
  const ask = (method: string, path: string, body?: unknown) =>
    server.send(method, path, { headers, ...(body !== undefined && { body }) });

  beforeAll(async () => {
    server = await startServer();
    const messages = [{ role: 'user', content: 'I like tea' }];
    const body = { messages, user_id: 'mem0-mcp', infer: false };
    id = firstId((await ask('POST', '/v3/memories/add/', body)).body);
  });
  afterAll(() => server.stop());

  it('adds in the background', async () => {
    const messages = [{ role: 'user', content: 'I like tea' }];
    const body = { messages, user_id: 'another', enable_graph: false };

    const { body: answer } = await ask('POST', '/v3/memories/add/', body);

    expect(answer).toMatchObject({ status: 'PENDING', event_id: expect.any(String) });
  });

  it('searches and lists', async () => {
    const filters = { AND: [{ user_id: 'mem0-mcp' }] };
    const enable_graph = false;

    const found = await ask('POST', '/v3/memories/search/', {
      query: 'tea',
      limit: 3,
      enable_graph,
      filters,
    });
    const listed = await ask('POST', '/v3/memories/?page=1&page_size=5', { enable_graph, filters });

    expect(found.body).toMatchObject({ results: [{ id, memory: 'I like tea' }] });
    expect(listed.body).toMatchObject({ count: 1, results: [{ id }] });
  });

  it('gets, changes and deletes, with an answer to each', async () => {
    const requests = [
      ['GET', `/v1/memories/${id}/`],
      ['PUT', `/v1/memories/${id}/`, { text: 'x' }],
      ['GET', '/v1/entities/'],
      ['DELETE', `/v1/memories/${id}/`],
      ['DELETE', '/v1/memories/?user_id=mem0-mcp'],
      ['DELETE', '/v2/entities/user/mem0-mcp/'],
    ] as const;

    const answers = [];
    for (const [method, path, body] of requests) answers.push(await ask(method, path, body));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    for (const { body } of answers) expect(body).toEqual(expect.any(Object));
  });
});
