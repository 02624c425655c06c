import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { connectTo } from './http-clients.ts';
import { createKey, ownerKey, type Service, startService, until } from './service.ts';
import { makeFolder, query, runProgram, type Settings, type ToolResult } from './support.ts';

const eras = [['auto'], ['legacy']] as const;

async function start(settings: Partial<Settings> = {}): Promise<Service> {
  return startService({ data_dir: await makeFolder(), ...settings });
}

function memoriesIn({ structuredContent }: ToolResult): string[] {
  const results = structuredContent.results as { memory: string }[]; // the result of a list
  return results.map(({ memory }) => memory);
}

/** A person with an organization of their own, and a key. */
async function tenant(service: Service, email: string): Promise<string> {
  const key = await createKey(service.data_dir, ['--email', email]);
  const made = await service.send('POST', '/v1/orgs/', { key, body: { name: email } });
  const org = `/v1/orgs/${made.body.org_id}`;
  const project = await service.send('POST', `${org}/projects/`, { key, body: { name: 'Own' } });
  expect([made.status, project.status]).toEqual([201, 200]);
  return key;
}

/** Sends a raw body; responses are parsed as JSON. */
async function post({ url }: Service, body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${ownerKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text };
}

/** The status of a request whose headers fetch would not send. */
function statusWith(service: Service, headers: Record<string, string>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${service.url}/mcp`, { method: 'POST', headers });
    sent.on('response', (answer) => resolve(answer.statusCode)).on('error', reject);
    sent.end('{}');
  });
}

describe('two tenants at once', () => {
  it.each(eras)('never see each other (%s)', async (mode) => {
    const service = await start();
    const keys = [await tenant(service, 'ada@a.example'), await tenant(service, 'bob@b.example')];
    const [ada, bob] = await Promise.all(
      keys.map((key) => connectTo({ url: service.url, key }, { mode })),
    );
    if (ada === undefined || bob === undefined) throw new Error('not connected');
    const count = 20;

    const added = await Promise.all(
      Array.from({ length: count }, (_, index) => [
        ada.call('add_memory', { text: `Ada's fact ${index}`, user_id: 'me' }),
        bob.call('add_memory', { text: `Bob's fact ${index}`, user_id: 'me' }),
      ]).flat(),
    );
    const [hers, his] = await Promise.all(
      [ada, bob].map((one) => one.call('get_memories', { user_id: 'me', page_size: 100 })),
    );
    const [first] = added.map((result) => result.structuredContent.results as { id: string }[]);
    const memory_id = first?.[0]?.id;
    const peeked = await bob.call('get_memory', { memory_id });

    expect(memoriesIn(hers as ToolResult)).toHaveLength(count);
    expect(memoriesIn(his as ToolResult)).toHaveLength(count);
    expect(memoriesIn(hers as ToolResult).every((text) => text.startsWith('Ada'))).toBe(true);
    expect(memoriesIn(his as ToolResult).every((text) => text.startsWith('Bob'))).toBe(true);
    expect(peeked.structuredContent.error).toMatchObject({ code: 'not_found' });
  });
});

describe('a key', () => {
  it.each(eras)('that is revoked in mid session ends it within seconds (%s)', async (mode) => {
    const service = await start();
    const key = await createKey(service.data_dir, ['--name', 'short']);
    const agent = await connectTo({ url: service.url, key }, { mode });
    const listed = () => agent.call('list_entities', {}).then(String, String);
    await agent.call('list_entities', {});
    const [row] = await query<{ key_id: string }>(
      service.data_dir,
      "select key_id from api_keys where name = 'short'",
    );

    await runProgram({ data_dir: service.data_dir, flags: ['keys', 'revoke', `${row?.key_id}`] });

    const refusal = await until(listed, (said) => /Unauthorized|401|Invalid API key/.test(said));
    expect(refusal).toBeTruthy();
  });

  it('of a reader reads, and is refused what writes', async () => {
    const service = await start();
    const { body } = await service.send('GET', '/v1/ping/');
    const key = await createKey(service.data_dir, ['--email', 'reader@a.example']);
    const members = `/v1/orgs/${body.org_id}/members/`;
    const role = { email: 'reader@a.example', role: 'READER' };
    expect((await service.send('POST', members, { body: role })).status).toBeLessThan(300);
    const agent = await connectTo({ url: service.url, key });

    const read = await agent.call('get_memories', { user_id: 'ada' });
    const written = await agent.call('add_memory', { text: 'x', user_id: 'ada' });

    expect(read.structuredContent).toMatchObject({ total: 0 });
    expect(written.structuredContent.error).toMatchObject({ code: 'forbidden' });
  });

  it('that may only read is offered no tool that writes', async () => {
    const service = await start();
    const key = await createKey(service.data_dir, ['--read-only']);
    const agent = await connectTo({ url: service.url, key });

    const { tools } = await agent.client.listTools();

    expect(tools.map(({ name }) => name)).toContain('search_memories');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });
});

describe('many clients', () => {
  it('may be connected at once: 200 sessions, each with its own user', async () => {
    const service = await start();
    const users = Array.from({ length: 200 }, (_, index) => `user-${index}`);

    const agents = await Promise.all(
      users.map((user_id, index) =>
        connectTo(
          { url: service.url, query: `?user_id=${user_id}` },
          { mode: index % 2 === 0 ? 'auto' : 'legacy' },
        ),
      ),
    );
    await Promise.all(
      agents.map((agent, index) => agent.call('add_memory', { text: `Is number ${index}` })),
    );
    const lists = await Promise.all(agents.map((agent) => agent.call('get_memories', {})));

    expect(lists.map(memoriesIn)).toEqual(users.map((_, index) => [`Is number ${index}`]));
  });
});

describe('a server that is restarted in mid session', () => {
  it.each(eras)('continues where it was, even after a kill (%s)', async (mode) => {
    const data_dir = await makeFolder();
    const first = await startService({ data_dir });
    const { port } = new URL(first.url);
    const form = { confirm: true, asked: [] as string[] };
    const agent = await connectTo({ url: first.url }, { mode, form });
    await agent.call('add_memory', { text: 'Before', user_id: 'ada' });

    first.kill('SIGKILL');
    await first.exited;
    const down = await agent.call('get_memories', { user_id: 'ada' }).then(String, String);
    await startService({ data_dir, flags: ['--port', port] });
    const after = await agent.call('get_memories', { user_id: 'ada' });
    await agent.call('delete_all_memories', { user_id: 'ada' });
    const left = await agent.call('get_memories', { user_id: 'ada' });

    expect(down).toMatch(/fetch failed|ECONNREFUSED/);
    expect(memoriesIn(after)).toEqual(['Before']);
    expect(form.asked).toHaveLength(1);
    expect(left.structuredContent.total).toBe(0);
  });
});

describe('on SIGTERM', () => {
  it('calls in progress are completed, and it exits with 0', async () => {
    const service = await start();
    const agent = await connectTo({ url: service.url }, { mode: 'legacy' });
    const messages = 'The bike is in the cellar. '.repeat(3_000);

    const call = agent.call('add_memory', { messages, user_id: 'ada' });
    await until(
      () => query(service.data_dir, 'select id from events'),
      (events) => events.length > 0,
      { everyMs: 1 },
    );
    service.kill('SIGTERM');

    expect((await call).structuredContent.status).toMatch(/SUCCEEDED|PENDING/);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('a question that waits for somebody does not delay it', async () => {
    const service = await start();
    const asked: string[] = [];
    const nobody = { confirm: new Promise<boolean>(() => {}), asked };
    const agent = await connectTo({ url: service.url }, { mode: 'legacy', form: nobody });
    await agent.call('add_memory', { text: 'Stays', user_id: 'ada' });

    const call = agent.call('delete_all_memories', { user_id: 'ada' });
    await until(
      () => asked.length,
      (count) => count === 1,
    );
    service.kill('SIGTERM');

    expect(JSON.stringify(await call)).toContain('the server is shutting down');
    expect((await service.exited).code).toBe(0);
    expect(await query(service.data_dir, 'select id from memories')).toHaveLength(1);
  });
});

describe('a request that no client sends', () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

  it('is refused as JSON-RPC, and the server continues', async () => {
    const service = await start({ flags: ['--body-max-bytes', '10000'] });

    const cut = await post(service, ping.slice(0, 10));
    const latin = await post(service, ping, { 'Content-Type': 'text/plain' });
    const large = await post(service, JSON.stringify({ method: 'x'.repeat(20_000) }));
    const noKey = await post(service, ping, { Authorization: '' });
    const fine = await post(service, ping);

    expect([cut, latin, large, noKey, fine].map(({ status }) => status)).toEqual([
      400, 415, 413, 401, 200,
    ]);
    for (const { body } of [cut, latin, large, noKey]) {
      expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null, error: {} });
    }
    expect(noKey.headers.get('WWW-Authenticate')).toContain('Bearer');
  });

  it('may come from a page that resolves its own name to this machine', async () => {
    const service = await start();
    const { host } = new URL(service.url);

    expect(await statusWith(service, { Host: 'evil.example' })).toBe(403);
    expect(await statusWith(service, { Host: host, Origin: 'https://evil.example' })).toBe(403);
    expect(await statusWith(service, { Host: host })).toBe(401);
  });

  it('is refused by a server whose MCP is switched off', async () => {
    const service = await start({ flags: ['--no-mcp'] });

    expect((await post(service, ping)).status).toBe(404);
  });
});

describe('a client that disconnects', () => {
  it.each(eras)('stops its call (%s)', async (mode) => {
    const service = await start({ env: { MNEME_ADD_WAIT_MS: '60000' } });
    const agent = await connectTo({ url: service.url }, { mode });
    const messages = 'The bike is in the cellar. '.repeat(3_000);

    const call = agent.call('add_memory', { messages, user_id: 'ada' }).catch(() => 'gone');
    await until(
      () => query(service.data_dir, 'select id from events'),
      (events) => events.length > 0,
      { everyMs: 1 },
    );
    await agent.close();
    await call;
    service.kill('SIGTERM');

    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(service.stderr()).not.toMatch(/"level":"error"/);
  });
});
