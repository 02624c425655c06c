import { describe, expect, it } from 'vitest';
import { createMcpHttp, defaultAllowedHosts, type McpHttpOptions } from '../../src/mcp/http.ts';
import type { RestOptions } from '../../src/rest/app.ts';
import { optionsFor as mcpOptions } from '../mcp/support.ts';
import { id } from './sample-outputs.ts';
import { clientOf, goodKey, scripted } from './support.ts';

const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
const read = {
  ...message,
  method: 'tools/call',
  params: { name: 'get_memory', arguments: { memory_id: id } },
};
const accept = { Accept: 'application/json, text/event-stream', Host: 'localhost:8787' };

/** An engine that never answers, until it is told to stop. */
function stuck(): Pick<McpHttpOptions, 'invoke'> {
  return {
    invoke: (_name, _input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  };
}

type Changes = { rest?: Partial<RestOptions>; mcp?: Partial<McpHttpOptions> };

/** A client of the HTTP face with MCP at its path. */
function served({ rest = {}, mcp = {} }: Changes = {}) {
  const { invoke } = scripted({ get_memory: () => ({ id, memory: 'Likes tea' }) });
  const { caller: _caller, ...options } = mcpOptions(invoke);
  const hosts = { allowed_hosts: defaultAllowedHosts('127.0.0.1'), cors_origins: [] };
  const mount = { ...createMcpHttp({ ...options, ...hosts, ...mcp }), path: '/mcp' };
  const { app } = clientOf({ get_memory: () => ({ id }) }, { mounts: [mount], ...rest });
  const post = (body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
    app.request(path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${goodKey}`,
        'Content-Type': 'application/json',
        ...accept,
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { app, post };
}

async function errorOf(answer: Response) {
  const { error, id: about } = (await answer.json()) as {
    error: { code: number; message: string };
    id: unknown;
  };
  return { ...error, id: about };
}

describe('MCP beside REST', () => {
  it.each(['/mcp', '/mcp/', '/mcp?user_id=ada'])('is at %s', async (path) => {
    const answer = await served().post(read, {}, path);

    expect(answer.status).toBe(200);
    expect(JSON.stringify(await answer.json())).toContain('Likes tea');
  });

  it('is nowhere else, and leaves REST as it is', async () => {
    const { app } = served();
    const headers = { Authorization: `Token ${goodKey}` };

    expect((await app.request('/mcp/more', { headers })).status).toBe(404);
    expect((await app.request(`/v1/memories/${id}/`, { headers })).status).toBe(200);
  });

  it.each([
    { Authorization: `Bearer ${goodKey}` },
    { Authorization: `Token ${goodKey}` },
    { Authorization: '', 'X-API-Key': goodKey },
  ])('takes the keys of REST: %j', async (headers) => {
    expect((await served().post(message, headers as Record<string, string>)).status).toBe(200);
  });

  it.each([
    ['no key', { Authorization: '' }],
    ['a wrong one', { Authorization: 'Bearer mk_bad' }],
  ])('asks for a key when there is %s', async (_, headers) => {
    const answer = await served().post(message, headers);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toContain('Bearer');
    expect((await errorOf(answer)).id).toBeNull();
  });

  it('refuses a page of elsewhere before it looks at the key', async () => {
    const answer = await served().post(message, {
      Origin: 'https://evil.example',
      Authorization: '',
    });

    expect(answer.status).toBe(403);
    expect((await errorOf(answer)).message).toContain('cors_origins');
  });

  it('refuses a name that a page may have pointed here, before it looks at the key', async () => {
    const answer = await served().post(message, { Host: 'evil.example', Authorization: '' });

    expect(answer.status).toBe(403);
    expect((await errorOf(answer)).message).toContain('allowed_hosts');
  });

  it('answers a call that takes too long as the tool, not as HTTP', async () => {
    const { post } = served({ mcp: { ...stuck(), tool_timeout_ms: 100 } });

    const answer = await post(read);

    expect(answer.status).toBe(200);
    const { result } = (await answer.json()) as { result: { isError: boolean; content: unknown } };
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('100 ms');
  });

  it.each([
    ['{"jsonrpc":', 400, -32700, 'not valid JSON'],
    ['', 400, -32600, 'JSON-RPC'],
    [`${'['.repeat(200)}${']'.repeat(200)}`, 400, -32700, 'nested too deep'],
    [JSON.stringify({ ...message, params: { x: 'y'.repeat(3000) } }), 413, -32000, '2048'],
  ])('says what is wrong with a body: %.20s', async (body, status, code, says) => {
    const answer = await served({ rest: { body_max_bytes: 2048 } }).post(body);

    expect(answer.status).toBe(status);
    expect(await errorOf(answer)).toMatchObject({ code, message: expect.stringContaining(says) });
  });

  it('takes JSON only', async () => {
    const answer = await served().post(message, { 'Content-Type': 'text/plain' });

    expect(answer.status).toBe(415);
  });

  it('shares the limit of requests with REST', async () => {
    const { app, post } = served({ rest: { rate_limit: 2 } });
    const headers = { Authorization: `Token ${goodKey}` };

    const first = await post(message);
    await app.request(`/v1/memories/${id}/`, { headers });
    const third = await post(message);

    expect(first.headers.get('X-RateLimit-Remaining')).toBe('1');
    expect(third.status).toBe(429);
    expect(third.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect((await errorOf(third)).message).toContain('rate limit');
  });

  it('takes no requests while the server shuts down', async () => {
    const answer = await served({ rest: { accepting: () => false } }).post(message);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('2');
  });

  it('is in the log and in the metrics, by the name of the tool', async () => {
    const lines: unknown[] = [];
    const log = (_level: string, _message: string, fields?: object) => lines.push(fields);
    const { app, post } = served({ rest: { request_log: true, log } });

    const answer = await post(read, { 'X-Request-ID': 'from-a-test' });
    await post({ ...message, method: 'made/up' });
    const env = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
    const metrics = await (await app.request('/metrics', {}, env)).text();

    expect(answer.headers.get('X-Request-ID')).toBe('from-a-test');
    const operation = 'mcp:get_memory';
    expect(lines.slice(0, 2)).toMatchObject([
      { request_id: 'from-a-test', operation },
      { operation: 'mcp' },
    ]);
    expect(metrics).toContain('{operation="mcp:get_memory",status="200"} 1');
    expect(metrics).not.toContain('made/up');
  });

  it('keeps to itself what goes wrong inside', async () => {
    const secret = async () => {
      throw new Error('SQLITE_IOERR: disk I/O error');
    };
    const { post } = served({ mcp: { secret } });

    const answer = await post(message, { 'Mcp-Session-Id': 'a.b.c' });

    expect(answer.status).toBe(500);
    expect((await errorOf(answer)).message).toBe('internal error');
  });
});

describe('a page of another origin', () => {
  const Origin = 'https://app.example';
  const changes = { rest: { cors_origins: [Origin] }, mcp: { cors_origins: [Origin] } };

  it('is let in where it is configured, and may read what clients need', async () => {
    const { app, post } = served(changes);

    const asked = await app.request('/mcp', {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,mcp-protocol-version,mcp-method',
      },
    });
    const answer = await post(message, { Origin });

    expect(asked.status).toBe(204);
    expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('mcp-protocol-version');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    const readable = answer.headers.get('Access-Control-Expose-Headers');
    expect(readable).toContain('Mcp-Session-Id');
    expect(readable).toContain('WWW-Authenticate');
  });

  it('reads why it was refused, too', async () => {
    const answer = await served(changes).post(message, { Origin, Authorization: '' });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
  });

  it.each([
    ['where none is configured', {}],
    ['where others are', changes],
  ])('is told nothing %s', async (_, configured) => {
    const elsewhere = { Origin: 'https://evil.example' };
    const { app, post } = served(configured);

    const headers = { ...elsewhere, 'Access-Control-Request-Method': 'POST' };
    const asked = await app.request('/mcp', { method: 'OPTIONS', headers });
    const answer = await post(message, elsewhere);

    expect(asked.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(answer.status).toBe(403);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});
