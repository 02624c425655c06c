import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

/** What doctor says about the port. */
async function checkPort(port: string) {
  const { stdout } = await runIn(temporaryFolder())(['doctor', '--json', '--port', port]);
  const { checks } = JSON.parse(stdout);
  return checks.find(({ name }: { name: string }) => name === 'REST service');
}

/** A server on a free port that answers every connection in its own way; gone after the test. */
async function listen(reply: string | null): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (reply !== null) socket.end(reply);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? String(address.port) : '';
}

describe('mneme doctor, on the port of the REST service', () => {
  it('says that a server is running there', async () => {
    const { url } = await serve(temporaryFolder());

    const { status, found } = await checkPort(new URL(url).port);

    expect(status).toBe('ok');
    expect(found).toMatch(/^mneme \d+\.\d+\.\d+ is running, and listens on 127\.0\.0\.1, port \d+/);
  });

  it.each([
    ['HTTP', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'],
    ['another protocol', 'hello\r\n'],
    ['only an end', ''],
    ['nothing', null],
  ])('warns of another program, which speaks %s', async (_, reply) => {
    const { status, found, advice } = await checkPort(await listen(reply));

    expect(status).toBe('warning');
    expect(found).toMatch(/^another program listens on 127\.0\.0\.1, port \d+/);
    expect(advice).toContain('--port');
  });

  it('says that the port is free', async () => {
    const { url, end } = await serve(temporaryFolder());
    await end();

    const { status, found } = await checkPort(new URL(url).port);

    expect(status).toBe('ok');
    expect(found).toMatch(/^mneme serve would listen on /);
  });
});
