import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as FirstUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { goodClaims, startIssuer } from '../support/oauth-issuer.ts';
import { openFirst, openSecond } from './clients.ts';
import { connectTo } from './http-clients.ts';
import { createKey, ownerKey, type Service, startService } from './service.ts';
import { makeFolder, runProgram } from './support.ts';

const audience = 'mneme-api';

/** A server that takes tokens of an issuer of the test's own. */
async function start(env: Record<string, string> = {}) {
  const issuer = await startIssuer();
  onTestFinished(() => issuer.close());
  const data_dir = await makeFolder();
  const service = await startService({
    data_dir,
    env: { MNEME_OAUTH_ISSUER: issuer.url, MNEME_OAUTH_AUDIENCE: audience, ...env },
  });
  const { body } = await service.send('GET', '/v1/ping/');
  return { issuer, service, org_id: String(body.org_id), project_id: String(body.project_id) };
}

/** For a server whose address its configuration names. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Started = Awaited<ReturnType<typeof start>>;

async function join({ service, org_id }: Started, role = 'OWNER', email = goodClaims.email) {
  const body = { email, role };
  const answer = await service.send('POST', `/v1/orgs/${org_id}/members/`, { body });
  expect(answer.status).toBeLessThan(300);
}

/** A client with a token that somebody else got for it. */
async function connectAs({ issuer, service }: Started, claims: Record<string, unknown> = {}) {
  const key = await issuer.sign(claims, { audience });
  return connectTo({ url: service.url, key });
}

/** What a client stores while it gets a token, and a user who agrees to everything. */
function createUser() {
  const kept: Record<string, unknown> = {};
  const seen: URL[] = [];
  const provider = {
    redirectUrl: 'http://127.0.0.1:1/callback',
    clientMetadata: {
      client_name: 'test',
      redirect_uris: ['http://127.0.0.1:1/callback'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url: URL) => void seen.push(url),
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (discovery: unknown) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery,
  } as unknown as OAuthClientProvider & { redirectUrl: string }; // what was kept is what comes back
  const agree = async (): Promise<string> => {
    const answer = await fetch(String(seen.at(-1)));
    const { code } = (await answer.json()) as { code: string }; // from the test's own issuer
    return code;
  };
  return { provider, agree, seen };
}

/** Goes the whole way: refused, to the issuer, back with a code, and connected. */
async function signIn(library: 'first' | 'second', { url }: Service) {
  const user = createUser();
  const at = new URL(`${url}/mcp`);
  const options = { authProvider: user.provider };
  if (library === 'first') {
    const refused = new FirstTransport(at, options as never); // the same of an earlier version
    await expect(openFirst(refused)).rejects.toThrow(FirstUnauthorized);
    await refused.finishAuth(await user.agree());
    const opened = await openFirst(new FirstTransport(at, options as never));
    return { ...opened, ...user };
  }
  const refused = new StreamableHTTPClientTransport(at, options);
  await expect(openSecond(refused, { mode: 'auto' })).rejects.toThrow(UnauthorizedError);
  await refused.finishAuth(await user.agree());
  const opened = await openSecond(new StreamableHTTPClientTransport(at, options), { mode: 'auto' });
  return { ...opened, ...user };
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('a client without a token', () => {
  it.each(['first', 'second'] as const)('gets one by itself (%s library)', async (library) => {
    const issuer = await startIssuer();
    onTestFinished(() => issuer.close());
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await startService({
      data_dir: await makeFolder(),
      flags: ['--port', String(port)],
      env: { MNEME_OAUTH_ISSUER: issuer.url, MNEME_OAUTH_AUDIENCE: `${url}/mcp` },
    });
    const { body } = await service.send('GET', '/v1/ping/');
    await join({ service, issuer, org_id: String(body.org_id), project_id: '' });

    const agent = await signIn(library, service);
    onTestFinished(() => agent.close());
    const added = await agent.call('add_memory', { text: 'Likes tea', user_id: 'ada' });

    expect(added.structuredContent.results).toMatchObject([{ event: 'ADD' }]);
    const [asked] = agent.seen;
    expect(asked?.searchParams.get('resource')).toBe(`${url}/mcp`);
    expect(asked?.searchParams.get('scope')).toBe('mneme:read mneme:write');
  });
});

describe('a token', () => {
  it('does what the account may do, and works beside keys', async () => {
    const started = await start();
    await join(started);
    const agent = await connectAs(started);
    const keyed = await connectTo({ url: started.service.url, key: ownerKey });

    await agent.call('add_memory', { text: 'Likes tea', user_id: 'ada' });
    const seen = await keyed.call('get_memories', { user_id: 'ada' });

    expect(seen.structuredContent).toMatchObject({ total: 1 });
  });

  it('of a reader reads, and is refused what writes', async () => {
    const started = await start();
    await join(started, 'READER');
    const agent = await connectAs(started);

    const read = await agent.call('get_memories', { user_id: 'ada' });
    const written = await agent.call('add_memory', { text: 'x', user_id: 'ada' });

    expect(read.structuredContent).toMatchObject({ total: 0 });
    expect(written.structuredContent.error).toMatchObject({ code: 'forbidden' });
  });

  it('with the scope to read is offered what reads, and the client may ask for more', async () => {
    const started = await start();
    await join(started);
    const agent = await connectAs(started, { scope: 'mneme:read' });

    const { tools } = await agent.client.listTools();
    const written = agent.call('add_memory', { text: 'x', user_id: 'ada' });

    await expect(written).rejects.toThrow(/403|scope/i);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });

  it('sees nothing of another tenant, in any way', async () => {
    const started = await start({
      MNEME_OAUTH_ORG_CLAIM: 'org',
      MNEME_OAUTH_ROLE_CLAIM: 'role',
    });
    const { service, org_id, project_id } = started;
    const key = await createKey(service.data_dir, ['--email', 'eve@evil.example']);
    const made = await service.send('POST', '/v1/orgs/', { key, body: { name: 'Evil' } });
    const evil = String(made.body.org_id);
    await service.send('POST', `/v1/orgs/${evil}/projects/`, { key, body: { name: 'Own' } });
    const ada = await connectAs(started, { org: org_id, role: 'OWNER' });
    const eve = await connectAs(started, {
      sub: 'eve',
      email: 'eve@evil.example',
      org: evil,
      role: ['owner'],
    });
    const added = await ada.call('add_memory', { text: 'Secret tea', user_id: 'me' });
    const [{ id: memory_id }] = added.structuredContent.results as [{ id: string }];

    const own = await eve.call('get_memories', { user_id: 'me' });
    const peeked = await eve.call('get_memory', { memory_id });
    const there = await eve.call('get_memories', { user_id: 'me', org_id, project_id });
    const org = await eve.call('manage_organization', { action: 'get', org_id });
    const listed = await eve.call('manage_organization', { action: 'list' });

    expect(own.structuredContent).toMatchObject({ total: 0 });
    for (const { structuredContent } of [peeked, there, org]) {
      expect(structuredContent.error).toMatchObject({ code: 'not_found' });
    }
    expect(JSON.stringify(listed)).toContain(evil);
    expect(JSON.stringify(listed)).not.toContain(org_id);
  });

  it('of an unknown organization reaches nothing', async () => {
    const started = await start({ MNEME_OAUTH_ORG_CLAIM: 'org', MNEME_OAUTH_ROLE_CLAIM: 'role' });
    const agent = await connectAs(started, { org: 'nowhere', role: 'OWNER' });

    const read = await agent.call('get_memories', { user_id: 'ada' });
    const written = await agent.call('add_memory', { text: 'x', user_id: 'ada' });

    expect(read.structuredContent.error).toMatchObject({ code: 'not_found' });
    expect(written.structuredContent.error).toMatchObject({ code: 'not_found' });
  });

  it('opens no session that somebody else can continue with their token', async () => {
    const started = await start();
    await join(started);
    await join(started, 'OWNER', 'bob@b.example');
    const { issuer, service } = started;
    const send = async (claims: object, session?: string) => {
      const answer = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${await issuer.sign({ ...claims }, { audience })}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...(session !== undefined && { 'Mcp-Session-Id': session }),
        },
        body: JSON.stringify(session === undefined ? initialize : list),
      });
      await answer.text();
      return answer;
    };

    const opened = await send({});
    const session = opened.headers.get('Mcp-Session-Id') ?? '';
    const renewed = await send({ jti: 'another token' }, session);
    const bob = await send({ sub: 'bob', email: 'bob@b.example' }, session);

    expect([opened, renewed, bob].map(({ status }) => status)).toEqual([200, 200, 404]);
  });
});

describe('a server whose issuer is unreachable', () => {
  it('starts, accepts keys, and says what is missing for tokens', async () => {
    const started = await start();
    await started.issuer.close();
    const { service } = started;
    const keyed = await connectTo({ url: service.url, key: ownerKey });

    const tokened = await connectAs(started).then(String, String);

    expect((await keyed.client.listTools()).tools.length).toBeGreaterThan(0);
    expect(tokened).toMatch(/503|issuer/);
    expect(service.stderr()).toContain('OAuth issuer keys could not be read');
  });
});

it('mneme serve does not start with an issuer and no audience', async () => {
  const { code, wire } = await runProgram({
    data_dir: await makeFolder(),
    flags: ['serve', '--port', '0', '--oauth-issuer', 'https://id.example.com'],
  });

  expect(code).not.toBe(0);
  expect(wire.stderr()).toContain('oauth_audience');
});
