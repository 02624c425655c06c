import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createRestApp, type RestOptions } from '../../src/rest/app.ts';
import { type HttpListener, listen } from '../../src/rest/server/listen.ts';
import { createDeferred } from '../support/deferred.ts';
import { goodKey, optionsFor, scripted } from './support.ts';

const open: HttpListener[] = [];
const failures: unknown[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
  failures.length = 0;
});

async function serve(changes: Partial<RestOptions> = {}): Promise<HttpListener> {
  const { invoke } = scripted({ get_memories: () => ({ results: [] }) });
  const log = (level: string, message: string, fields?: object) => {
    if (level !== 'info') failures.push({ level, message, ...fields });
  };
  const server = await listen(createRestApp(optionsFor(invoke, { log, ...changes })).fetch, {
    host: '127.0.0.1',
    port: 0,
    request_timeout_ms: 300,
  });
  open.push(server);
  return server;
}

/** A connection for bytes as they are; `answers` is all that comes back until it ends. */
function connectTo({ url }: HttpListener) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const answers = new Promise<string>((resolve) => {
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('error', () => {}).on('close', () => resolve(got));
  });
  return { socket, answers };
}

const head =
  'POST /v2/memories/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
  `Authorization: Token ${goodKey}\r\n`;

describe('a client that is slow', () => {
  it.each([
    ['its headers', head, 'X-Slow: '],
    ['a body of a known length', `${head}Content-Length: 1000\r\n\r\n`, ' '],
    ['a body in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ])('with %s is cut off', async (_, first, drop) => {
    const { socket, answers } = connectTo(await serve());
    socket.write(first);
    const dripping = setInterval(() => socket.write(drop), 50);

    const answer = await answers;
    clearInterval(dripping);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/X-Request-ID: /i);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: /too long/ });
    expect(failures).toEqual([]);
  });

  it('that goes away amid its body leaves no failure behind', async () => {
    const admitted = createDeferred();
    const accepting = () => {
      admitted.resolve();
      return true;
    };
    const server = await serve({ accepting });
    const { socket, answers } = connectTo(server);
    socket.write(`${head}Content-Length: 1000\r\n\r\n{`);
    await admitted.promise;

    socket.destroy();
    await answers;
    await server.close();

    expect(failures).toEqual([]);
  });
});

describe('bytes that are no HTTP', () => {
  it.each([
    ['nonsense', 'EHLO example.com\r\n\r\n', 400],
    ['a header too large', `${head}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('such as %s are refused in JSON', async (_, bytes, status) => {
    const { socket, answers } = connectTo(await serve());
    socket.write(bytes);

    const answer = await answers;

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/X-Request-ID: /i);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toHaveProperty('message');
  });
});
