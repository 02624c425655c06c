import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createRestApp, type RestOptions } from '../../src/rest/app.ts';
import { type HttpListener, listen } from '../../src/rest/server/listen.ts';
import { createDeferred } from '../support/deferred.ts';
import { eventually } from '../support/eventually.ts';
import { id } from './sample-outputs.ts';
import { goodKey, optionsFor, scripted } from './support.ts';

const path = `/v1/memories/${id}/`;
const headers = { Authorization: `Token ${goodKey}` };
const open: HttpListener[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(script: Parameters<typeof scripted>[0], changes: Partial<RestOptions> = {}) {
  const { invoke, calls } = scripted(script);
  const app = createRestApp(optionsFor(invoke, changes));
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0 });
  open.push(server);
  return { server, calls, url: server.url };
}

/** A read that takes until it is told to answer. */
function slowRead() {
  const { promise, resolve } = createDeferred();
  const get_memory = async () => {
    await promise;
    return { id };
  };
  return { script: { get_memory }, answer: resolve };
}

/** A connection for bytes as they are; `answers` is all that comes back until it ends. */
function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const answers = new Promise<string>((resolve, reject) => {
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => resolve(got)).on('error', reject);
  });
  return { socket, answers };
}

describe('over a real connection', () => {
  it('picks a free port and says which', async () => {
    const { url } = await serve({});

    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('says when its port is taken', async () => {
    const { url } = await serve({});
    const port = Number(new URL(url).port);

    const second = listen(() => new Response(), { host: '127.0.0.1', port });

    await expect(second).rejects.toThrow(/listening/);
  });

  it('answers a health check by HTTP/1.0, which names no host', async () => {
    const { url } = await serve({});
    const { socket, answers } = connectTo(url);

    socket.write('GET /healthz HTTP/1.0\r\n\r\n');

    expect(await answers).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"status":"ok"\}$/);
  });

  it('answers reads, writes and deletes on one connection', async () => {
    const { url, calls } = await serve({
      get_memory: () => ({ id }),
      update_memory: () => ({ id }),
      delete_memory: () => ({ message: 'Deleted', deleted: 1 }),
    });

    const body = JSON.stringify({ text: 'grün' });
    const json = { ...headers, 'Content-Type': 'application/json' };
    const got = await fetch(url + path, { headers });
    const put = await fetch(url + path, { method: 'PUT', headers: json, body });
    const gone = await fetch(url + path, { method: 'DELETE', headers: json });
    const sdk = { ...headers, 'Mem0-User-ID': '' };
    const told = await fetch(url + path, { method: 'DELETE', headers: sdk });

    expect([got.status, put.status, gone.status, told.status]).toEqual([200, 200, 204, 200]);
    expect(calls[1]?.input.text).toBe('grün');
    expect(await gone.text()).toBe('');
  });

  it('keeps an encoded slash in an id', async () => {
    const { url, calls } = await serve({ delete_entity: () => ({}) });

    await fetch(`${url}/v2/entities/user/al%20ice%2Fx/`, { method: 'DELETE', headers });

    expect(calls[0]?.input.entity_id).toBe('al ice/x');
  });

  it('stops reading a body without a length at the limit', async () => {
    const { url } = await serve({}, { body_max_bytes: 4096 });

    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${url}/v2/memories/`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
      });
      const timer = setInterval(() => request.write('x'.repeat(1024)), 1);
      request.on('response', (response) => {
        clearInterval(timer);
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
    });

    expect(status).toBe(413);
  });

  it('refuses a large body by its length alone', async () => {
    const { url } = await serve({}, { body_max_bytes: 4096 });

    const { socket, answers } = connectTo(url);
    socket.write(
      'POST /v2/memories/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n' +
        `Authorization: Token ${goodKey}\r\nContent-Length: 5000\r\n\r\n`,
    );

    expect(await answers).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('answers a malformed Host header like any other refusal', async () => {
    const { url } = await serve({});

    const { socket, answers } = connectTo(url);
    socket.write('GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n');

    const answer = await answers;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^x-request-id: /im);
    expect(answer).toContain('"detail":');
  });

  it('shows metrics to this machine', async () => {
    const { url } = await serve({});

    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });
});

describe('at its end', () => {
  it('finishes requests in progress and takes no new ones', async () => {
    const { script, answer } = slowRead();
    const { server, url, calls } = await serve(script);
    const running = fetch(url + path, { headers });
    await eventually(() => expect(calls).toHaveLength(1));

    const closed = server.close();
    const late = await fetch(url + path, { headers }).catch(() => 'refused');
    answer();

    expect(late).toBe('refused');
    expect((await running).status).toBe(200);
    await closed;
  });

  it('ends connections with their answers from when it is told to retire', async () => {
    const { script, answer } = slowRead();
    const { server, url, calls } = await serve(script);
    const running = fetch(url + path, { headers });
    await eventually(() => expect(calls).toHaveLength(1));

    server.drain();
    const late = await fetch(`${url}/healthz`);
    answer();

    expect(late.status).toBe(200);
    expect(late.headers.get('Connection')).toBe('close');
    expect((await running).headers.get('Connection')).toBe('close');
  });

  it('carries out nothing that still comes on a kept connection', async () => {
    let accepts = true;
    let asked = 0;
    const accepting = () => {
      asked += 1;
      return accepts;
    };
    const { script, answer } = slowRead();
    const { server, url, calls } = await serve(script, { accepting });
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${goodKey}\r\n\r\n`;

    const { socket, answers } = connectTo(url);
    socket.write(request);
    await eventually(() => expect(calls).toHaveLength(1));
    accepts = false;
    const closed = server.close();
    socket.write(request);
    await eventually(() => expect(asked).toBe(2));
    answer();

    const statuses = [...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code);
    expect(statuses).toEqual(['200']);
    expect(calls).toHaveLength(1);
    await closed;
  });
});
