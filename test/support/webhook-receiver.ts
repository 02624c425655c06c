import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it arrived. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: string };

/** What a receiver does with a request after reading it. */
export type Reaction = (response: ServerResponse, received: Received) => void;

/** A real HTTP server on a free port of this machine that records what it receives. */
export type Receiver = {
  url: string;
  port: number;
  received: Received[];
  react(reaction: Reaction): void;
  stop(): Promise<void>;
};

export const accept: Reaction = (response) => response.writeHead(204).end();
export const fail: Reaction = (response) => response.writeHead(500).end('no');
export const hang: Reaction = () => {};
export const hangUp: Reaction = (response) => response.socket?.destroy();
export const redirect: Reaction = (response, { path }) =>
  response.writeHead(302, { location: `${path}/elsewhere` }).end();

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let reaction = accept;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const arrived = { path: request.url ?? '', headers: request.headers, body };
      received.push(arrived);
      reaction(response, arrived);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    react: (next) => {
      reaction = next;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
