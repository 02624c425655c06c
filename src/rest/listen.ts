import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ApiError } from '../contract/errors.ts';
import { toResponse } from './answer.ts';
import { failureOf, HttpError } from './failure.ts';

/** How long requests in progress may go on once the server is told to stop. */
const drainTimeoutMs = 10_000;

const idleCheckMs = 50;

/** Longer than load balancers keep connections, so that they never send into a closing one. */
const keepAliveTimeoutMs = 75_000;

type Fetch = Parameters<typeof getRequestListener>[0];

/** A server that listens. */
export type Listening = {
  /** `http://127.0.0.1:8787` */
  url: string;
  /** Takes no new connections and waits for requests in progress, but not for ever. */
  close(): Promise<void>;
};

/** Throws `unavailable` when the address can't be listened on. */
export async function listen(
  fetch: Fetch,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const listener = getRequestListener(fetch, { errorHandler: unreadable });
  const server = createServer({ keepAliveTimeout: keepAliveTimeoutMs }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new ApiError('unavailable', refusal(cause, { host, port }), { cause }));
    });
    server.listen(port, host, resolve);
  });
  // Not a pipe, so the address is one of TCP.
  const address = server.address() as AddressInfo;

  return {
    url: urlOf(address),
    close: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Node closes the connections that are idle now, not those that become idle later.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  await Promise.race([closed, sleep(drainTimeoutMs, undefined, { ref: false })]);
  clearInterval(idle);
  server.closeAllConnections();
  await closed;
}

/** What never becomes a request, such as a malformed Host header; the app answers all others. */
function unreadable(error: unknown): Response {
  const request_id = randomUUID();
  const malformed = new HttpError(400, 'the address or the Host header is malformed');
  const known = error instanceof RequestError ? malformed : error;
  const answer = failureOf(known, { request_id, log: () => {} });
  return toResponse(answer, { 'X-Request-ID': request_id });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function refusal({ code }: NodeJS.ErrnoException, at: { host: string; port: number }): string {
  const place = `${at.host}, port ${at.port}`;
  if (code === 'EADDRINUSE') return `${place}: another program listens there already`;
  if (code === 'EACCES') return `${place}: not permitted; ports below 1024 need privileges`;
  return `${place}: can't be listened on (${code ?? 'unknown reason'})`;
}
