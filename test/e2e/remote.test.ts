import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDeferred } from '../support/deferred.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { startStallingProxy } from '../support/stalling-proxy.ts';
import { toolNames } from '../support/tool-names.ts';
import { type Connection, connect } from './clients.ts';
import { ownerKey, startService, until } from './service.ts';
import { makeFolder, shakeHands, startWire } from './support.ts';

async function connectTo(base_url: string, env: Record<string, string> = {}): Promise<Connection> {
  const remote = { MNEME_BASE_URL: base_url, MNEME_API_KEY: ownerKey };
  return connect({ data_dir: await makeFolder(), env: { ...remote, ...env } });
}

/** A server that does what the test says, for responses that no real one gives. */
async function startStandIn(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}`;
}

describe('the server in front of a remote', () => {
  it('continues once the remote has restarted', async () => {
    const data_dir = join(await makeFolder(), 'far');
    const first = await startService({ data_dir });
    const { port } = new URL(first.url);
    const agent = await connectTo(first.url, { MNEME_REMOTE_TIMEOUT_MS: '1000' });
    await agent.call('add_memory', { text: 'Outlives a restart' });

    first.kill('SIGKILL');
    await first.exited;
    const meanwhile = await agent.call('search_memories', { query: 'restart' });
    await startService({ data_dir, flags: ['--port', port] });
    const after = await agent.call('search_memories', { query: 'restart' });

    expect(meanwhile).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'unavailable' } },
    });
    expect(JSON.stringify(meanwhile)).toContain('the remote at 127.0.0.1');
    expect(after.structuredContent.results).toMatchObject([{ memory: 'Outlives a restart' }]);
  });

  it('shares what it stores with everybody who has the key', async () => {
    const { url } = await startService({ data_dir: await makeFolder() });
    const [one, other] = [await connectTo(url), await connectTo(url)];

    const texts = Array.from({ length: 20 }, (_, index) => `Fact ${index}`);
    await Promise.all(
      texts.map((text, index) => (index % 2 ? one : other).call('add_memory', { text })),
    );
    const listed = await one.call('get_memories', { page_size: 100 });

    expect(listed.structuredContent.total).toBe(20);
  });

  it('responds while the remote is down, and says what is wrong', async () => {
    const url = await startStandIn((request) => request.socket.destroy());
    const agent = await connectTo(url, { MNEME_REMOTE_TIMEOUT_MS: '2000' });

    const { tools } = await agent.client.listTools();
    const added = await agent.call('add_memory', { text: 'x' });

    expect(tools).toHaveLength(toolNames.length);
    expect(added.structuredContent.error).toMatchObject({ code: 'unavailable' });
  });

  it('passes on nothing that a remote says about its own failures', async () => {
    const url = await startStandIn((_, response) => {
      response.writeHead(500, { 'Content-Type': 'application/json' });
      response.end('{"message":"connection to postgres://10.0.0.7 failed, password hunter2"}');
    });
    const agent = await connectTo(url);

    const refused = await agent.call('add_memory', { text: 'x' });

    expect(refused.isError).toBe(true);
    expect(refused.content[0]?.text).toContain('returned status 500');
    expect(JSON.stringify(refused)).not.toMatch(/hunter2|postgres/);
    expect(agent.stderr()).not.toContain('hunter2');
  });

  it('stores once what is sent through a bad connection', async () => {
    const { url } = await startService({ data_dir: await makeFolder() });
    const faults = ['reset after', 'a page of 502 after', 'cut off after'] as const;
    const proxy = await startFaultyProxy({ url, isMneme: true }, faults);
    onTestFinished(() => proxy.stop());
    const agent = await connectTo(proxy.url);

    const added = await agent.call('add_memory', { text: 'Is stored once' });
    const listed = await agent.call('get_memories', {});

    expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    expect(listed.structuredContent.total).toBe(1);
  });

  it('says so within its limit when the network stalls, and continues after it', async () => {
    const { url } = await startService({ data_dir: await makeFolder() });
    const proxy = await startStallingProxy(Number(new URL(url).port));
    onTestFinished(() => proxy.stop());
    const base_url = `http://127.0.0.1:${proxy.port}`;
    const agent = await connectTo(base_url, { MNEME_REMOTE_TIMEOUT_MS: '1000' });
    await agent.call('add_memory', { text: 'Before' });

    proxy.stall();
    const [added, found] = await Promise.all([
      agent.call('add_memory', { text: 'Meanwhile' }),
      agent.call('search_memories', { query: 'before' }),
    ]);
    proxy.resume();
    const after = await agent.call('add_memory', { text: 'After' });
    const listed = await agent.call('get_memories', {});

    const unavailable = { isError: true, structuredContent: { error: { code: 'unavailable' } } };
    expect([added, found]).toMatchObject([unavailable, unavailable]);
    expect(after.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    const texts = (listed.structuredContent.results as { memory: string }[]).map(
      ({ memory }) => memory,
    );
    // Whether the remote got what was refused meanwhile is open, but it got it once.
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toEqual(expect.arrayContaining(['Before', 'After']));
  });

  it('only reads if the configuration says so', async () => {
    const { url } = await startService({ data_dir: await makeFolder() });
    const agent = await connectTo(url, { MNEME_READ_ONLY: 'true' });

    const { tools } = await agent.client.listTools();

    expect(tools.map(({ name }) => name)).not.toContain('add_memory');
    expect(await agent.call('search_memories', { query: 'x' })).toMatchObject({
      structuredContent: { results: [] },
    });
  });

  it('ends the request of a call that its client cancels', async () => {
    let cut = false;
    const asked = createDeferred();
    const url = await startStandIn((request, response) => {
      if (request.url === '/v1/ping/') {
        response.writeHead(200, { 'X-Mneme-Version': '9.9.9' }).end('{"status":"ok"}');
        return;
      }
      asked.resolve();
      void once(response, 'close').then(() => {
        cut = true;
      });
    });
    const remote = { MNEME_BASE_URL: url, MNEME_API_KEY: ownerKey };
    const wire = startWire({ data_dir: await makeFolder(), env: remote });
    await shakeHands(wire);

    const params = { name: 'search_memories', arguments: { query: 'x' } };
    wire.send({ id: 'slow', method: 'tools/call', params });
    await asked.promise;
    wire.send({ method: 'notifications/cancelled', params: { requestId: 'slow' } });

    await until(
      () => cut,
      (isCut) => isCut,
    );
  });
});
