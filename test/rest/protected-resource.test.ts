import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { createMcpHttp } from '../../src/mcp/http.ts';
import type {
  AuthenticatedKey,
  ProtectedResource,
  RestOptions,
} from '../../src/rest/http/options.ts';
import { optionsFor as mcpOptions } from '../mcp/support.ts';
import { id } from './sample-outputs.ts';
import { caller, clientOf, goodKey, scripted } from './support.ts';

const issuer = 'https://id.example.com/realms/a';
const scopes = { read: 'mneme:read', write: 'mneme:write' };
const read = toolCall('get_memory', { memory_id: id });
const write = toolCall('delete_memory', { memory_id: id });
const metadata = 'https://mneme.example/.well-known/oauth-protected-resource/mcp';
const scope = 'scope="mneme:read mneme:write"';

const holder = { caller, key_id: 'oauth ada', rate_key: 'oauth ada' };
const holders: Record<string, AuthenticatedKey> = {
  writes: holder,
  reads: { ...holder, caller: { ...caller, read_only: true }, missing_scope: 'write' },
  nothing: { ...holder, caller: { ...caller, read_only: true }, missing_scope: 'read' },
  ada: { ...holder, user_id: 'ada' },
  [goodKey]: { ...holder, key_id: 'key-1' },
};

function toolCall(name: string, args: object) {
  const params = { name, arguments: args };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
}

type Changes = { rest?: Partial<RestOptions>; protection?: Partial<ProtectedResource> };

/** A client of the HTTP face with MCP at its path, where tokens are taken. */
function served({ rest = {}, protection = {} }: Changes = {}) {
  const { invoke, calls } = scripted({
    get_memory: () => ({ id, memory: 'Likes tea' }),
    search_memories: () => ({ results: [] }),
    delete_memory: () => ({ message: 'gone' }),
  });
  const { caller: _caller, ...options } = mcpOptions(invoke);
  const mount = {
    ...createMcpHttp({ ...options, allowed_hosts: null, cors_origins: [] }),
    path: '/mcp',
    protection: {
      issuer,
      scopes,
      resource: 'https://mneme.example/mcp',
      authenticate: async (token: string) => holders[token] ?? null,
      ...protection,
    },
  };
  const { app } = clientOf({ get_memory: () => ({ id }) }, { mounts: [mount], ...rest });
  const post = (body: unknown, token: string | null, headers: Record<string, string> = {}) =>
    app.request('http://localhost:8787/mcp', {
      method: 'POST',
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  return { app, post, calls };
}

describe('a request without a token', () => {
  it('is told where to get one', async () => {
    const answer = await served().post(read, null);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      `Bearer resource_metadata="${metadata}", ${scope}`,
    );
  });

  it('finds the issuer at the address that it was told', async () => {
    const { app } = served();

    const answer = await app.request('/.well-known/oauth-protected-resource/mcp');
    const root = await app.request('/.well-known/oauth-protected-resource');

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      resource: 'https://mneme.example/mcp',
      authorization_servers: [issuer],
      scopes_supported: ['mneme:read', 'mneme:write'],
      bearer_methods_supported: ['header'],
      resource_name: 'mneme',
    });
    expect(root.status).toBe(200);
  });

  it.each([
    [{}, 'http://localhost:8787/mcp'],
    [{ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'm.example' }, 'https://m.example/mcp'],
  ])('learns the address that it used where none is configured: %j', async (headers, resource) => {
    const { app, post } = served({ rest: { trust_proxy: true }, protection: { resource: null } });
    const sent = headers as Record<string, string>;

    const at = 'http://localhost:8787/.well-known/oauth-protected-resource/mcp';
    const answer = await app.request(at, { headers: sent });
    const refused = await post(read, null, sent);

    expect(await answer.json()).toMatchObject({ resource });
    const { origin } = new URL(resource);
    expect(refused.headers.get('WWW-Authenticate')).toContain(`"${origin}/.well-known/`);
  });

  it('is told of no issuer where there is none', async () => {
    const { app } = clientOf({}, {});

    const answer = await app.request('/.well-known/oauth-protected-resource');

    expect(answer.status).toBe(404);
  });
});

describe('a token', () => {
  it('that is good is let in, and so is a key', async () => {
    const { post } = served();

    expect((await post(write, 'writes')).status).toBe(200);
    expect((await post(write, goodKey)).status).toBe(200);
  });

  it('that is none is refused as such', async () => {
    const answer = await served().post(read, 'unknown');

    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toContain('Bearer error="invalid_token"');
  });

  it('that is refused for a reason says it', async () => {
    const authenticate = async () => {
      throw new ApiError('unauthorized', 'the token has expired');
    };

    const answer = await served({ protection: { authenticate } }).post(read, 'old');

    expect(answer.status).toBe(401);
    expect(JSON.stringify(await answer.json())).toContain('the token has expired');
    expect(answer.headers.get('WWW-Authenticate')).toContain(metadata);
  });

  it('that nobody can check now is to be sent again', async () => {
    const authenticate = async () => {
      throw new ApiError('unavailable', 'the issuer does not answer');
    };

    const answer = await served({ protection: { authenticate } }).post(read, 'good');

    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('2');
  });

  it.each([
    ['to read', 'nothing', read],
    ['to write', 'reads', write],
    ['to write, by an action', 'reads', toolCall('manage_project', { action: 'delete' })],
    ['to write, in a batch', 'reads', [read, write]],
  ])('without the scope %s is told to get one', async (_, token, body) => {
    const { post, calls } = served();

    const answer = await post(body, token);

    expect(answer.status).toBe(403);
    expect(answer.headers.get('WWW-Authenticate')).toBe(
      `Bearer error="insufficient_scope", resource_metadata="${metadata}", ${scope}`,
    );
    expect(calls).toEqual([]);
  });

  it.each([
    ['reads', read],
    ['asks for an action that there is not', toolCall('manage_project', { action: 'explode' })],
    ['asks for a tool that there is not', toolCall('constructor', {})],
    ['calls nothing', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  ])('with the scope to read is let in when it %s', async (_, body) => {
    expect((await served().post(body, 'reads')).status).toBe(200);
  });

  it('of a user is held to that user', async () => {
    const { post, calls } = served();

    const own = await post(toolCall('search_memories', { query: 'tea' }), 'ada');
    const other = await post(toolCall('search_memories', { query: 'tea', user_id: 'bob' }), 'ada');

    expect(own.status).toBe(200);
    expect(JSON.stringify(calls)).toContain('"user_id":"ada"');
    expect(JSON.stringify(await other.json())).toMatch(/"isError":true/);
    expect(JSON.stringify(calls)).not.toContain('bob');
  });

  it('of a user is not to be widened by the address', async () => {
    const answer = await served().post(read, 'ada', { 'X-Mneme-User-Id': 'bob' });

    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain('locked');
  });

  it('is none to REST, also after /mcp has let it in', async () => {
    const { app, post } = served();
    await post(read, 'writes');

    const headers = { Authorization: 'Bearer writes' };
    const answer = await app.request(`/v1/memories/${id}/`, { headers });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).not.toContain('resource_metadata');
  });

  it('has a limit of its own, over all tokens of its holder', async () => {
    const { post } = served({ rest: { rate_limit: 1 } });

    await post(read, 'writes');

    expect((await post(read, 'ada')).status).toBe(429);
  });
});
