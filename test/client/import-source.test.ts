import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openImportSource } from '../../src/app/remote/connect-remote.ts';

type Responder = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Answers each request with the next of the answers, the last one again and again. */
async function startServer(...answers: Responder[]) {
  const requests: { method?: string | undefined; url?: string | undefined; body: string }[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    headers.push(request.headers);
    requests.push({ method: request.method, url: request.url, body });
    answers[Math.min(requests.length, answers.length) - 1]?.(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, headers };
}

function status(code: number, headers: Record<string, string> = {}): Responder {
  return (_, response) => response.writeHead(code, headers).end('{"detail":"no"}');
}

const done: Responder = (_, response) => response.end('{"ok":true}');

function connect(url: string) {
  const waits: number[] = [];
  const remote = openImportSource(
    {
      url,
      api_key: 'mk_secret',
      remote_timeout_ms: 500,
      log: (_, __, fields) => waits.push((fields as { in_ms: number }).in_ms),
    },
    { pause_ms: 1 },
  );
  onTestFinished(() => remote.close());
  return { remote, waits };
}

const call = { method: 'GET', path: '/v1/entities/', query: { page: '1' } } as const;

describe('a remote instance', () => {
  it('is asked with the key, below its base address', async () => {
    const { url, requests, headers } = await startServer(done);
    const { remote } = connect(`${url}/base/`);

    const answer = await remote.request({ ...call, method: 'POST', body: { a: 'é' } });

    expect(answer).toEqual({ ok: true });
    expect(requests).toEqual([
      { method: 'POST', url: '/base/v1/entities/?page=1', body: '{"a":"é"}' },
    ]);
    expect(headers[0]).toMatchObject({ authorization: 'Token mk_secret' });
  });

  it.each([
    ['503', status(503)],
    ['500', status(500)],
    ['429', status(429)],
    ['a closed connection', (request: IncomingMessage) => request.socket.destroy()],
  ])('is asked again after %s', async (_, answer) => {
    const { url, requests } = await startServer(answer, answer, done);
    const { remote, waits } = connect(url);

    expect(await remote.request(call)).toEqual({ ok: true });
    expect(requests).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  it('is given the time it asks for', async () => {
    const date = new Date(Date.now() + 2000).toUTCString();
    const { url } = await startServer(
      status(429, { 'retry-after': '1' }),
      status(503, { 'retry-after': date }),
      done,
    );
    const { remote, waits } = connect(url);

    await remote.request(call);

    expect(waits.map((ms) => Math.round(ms / 1000))).toEqual([1, expect.any(Number)]);
    expect(waits[1]).toBeLessThanOrEqual(2010);
  });

  it('that asks for hours is given up at once', async () => {
    const { url, requests } = await startServer(status(429, { 'retry-after': '7200' }));
    const { remote } = connect(url);

    await expect(remote.request(call)).rejects.toMatchObject({
      code: 'rate_limited',
      next: 'Try again in 7200 seconds.',
    });
    expect(requests).toHaveLength(1);
  });

  it('that stays away is given up after six tries', async () => {
    const { url, requests } = await startServer(status(502));
    const { remote } = connect(url);

    await expect(remote.request(call)).rejects.toThrow('returned status 502');
    expect(requests).toHaveLength(6);
  });

  it.each<[string, Responder]>([
    ['never answers', () => {}],
    ['stops in the middle of an answer', (_, response) => response.writeHead(200).write('{')],
  ])('that %s is given up after the time that a call may take', async (_, answer) => {
    const { url, requests } = await startServer(answer);
    const { remote } = connect(url);

    await expect(remote.request(call)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^the remote at 127\.0\.0\.1:\d+ gave no answer within 500 ms$/,
      ),
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    [400, 'invalid', 'no'],
    [401, 'unauthorized', 'refused the API key'],
    [403, 'forbidden', 'no'],
    [404, 'not_found', 'no'],
    [302, 'unavailable', 'to another address'],
  ])('that answers %i is asked once', async (code, expected, message) => {
    const { url, requests } = await startServer(status(code, { location: '/elsewhere' }));
    const { remote } = connect(url);

    const failing = remote.request(call);

    await expect(failing).rejects.toMatchObject({ code: expected });
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.not.toThrow('mk_secret');
    expect(requests).toHaveLength(1);
  });

  it('that answers no JSON is no API', async () => {
    const { url } = await startServer((_, response) => response.end('<html>'));

    await expect(connect(url).remote.request(call)).rejects.toThrow(
      'returned a body that is not JSON',
    );
  });

  it.each([['ftp://host'], ['host:8787'], ['https://me:secret@host'], ['https://host/?a=b']])(
    'has an address other than %s',
    (url) => {
      expect(() => connect(url)).toThrow(/address/);
    },
  );
});
