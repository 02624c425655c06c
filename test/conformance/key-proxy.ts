import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address to speak to a server without its key. */
export type KeyProxy = { url: string; close(): Promise<void> };

/**
 * Passes requests on as they are, with a key: the suite can't send one. Host and Origin stay what
 * the suite says, so that the server judges them.
 */
export async function startKeyProxy(target: string, key: string): Promise<KeyProxy> {
  const server = createServer((asked, answer) => {
    const { method, headers, url = '/' } = asked;
    const options = { method, headers: { ...headers, authorization: `Bearer ${key}` } };
    const passed = request(new URL(url, target), options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // not a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
