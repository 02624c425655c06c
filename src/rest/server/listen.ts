import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { ApiError } from '../../contract/errors.ts';
import { malformedRequestResponse, rawErrorResponse } from './malformed-request.ts';

/** How long requests in progress may continue after the signal to stop. */
const drainTimeoutMs = 10_000;

const idleCheckMs = 50;

/** Longer than load balancers keep connections, so that they never send into a closing one. */
const keepAliveTimeoutMs = 75_000;

/** How long a request may take to arrive: a slow one holds a connection and memory. */
const requestTimeoutMs = 60_000;

export type FetchHandler = Parameters<typeof getRequestListener>[0];

/** A server that listens. */
export type HttpListener = {
  /** `http://127.0.0.1:8787` */
  url: string;
  /** Continues to answer, but from now on closes each connection after its response. */
  drain(): void;
  /** Accepts no new connections and waits a limited time for requests in progress. */
  close(): Promise<void>;
};

export type ListenOptions = { host: string; port: number; request_timeout_ms?: number };

/** Throws `unavailable` when it cannot listen on the address. */
export async function listen(
  fetch: FetchHandler,
  { host, port, ...options }: ListenOptions,
): Promise<HttpListener> {
  const server = createHttpServer(fetch, options);
  const drain = createDrain(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new ApiError('unavailable', listenErrorMessage(cause, { host, port }), { cause }));
    });
    server.listen(port, host, resolve);
  });
  // A TCP address, because the server does not listen on a pipe.
  const address = server.address() as AddressInfo;

  return {
    url: listenUrl(address),
    drain,
    close: () => {
      drain();
      return closeServer(server);
    },
  };
}

/**
 * Closes connections with `Connection: close` on a response, so that no request is sent into a
 * closing one: a proxy could not know whether that request was carried out.
 */
function createDrain(server: Server): () => void {
  const unanswered = new Set<ServerResponse>();
  let isRetired = false;
  const endConnection = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_, response) => {
    if (isRetired) endConnection(response);
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });
  return () => {
    isRetired = true;
    for (const response of unanswered) endConnection(response);
  };
}

function createHttpServer(
  fetch: FetchHandler,
  { request_timeout_ms = requestTimeoutMs }: Pick<ListenOptions, 'request_timeout_ms'>,
): Server {
  const timeouts = {
    keepAliveTimeout: keepAliveTimeoutMs,
    requestTimeout: request_timeout_ms,
    headersTimeout: request_timeout_ms,
    connectionsCheckingInterval: request_timeout_ms / 4,
  };
  // HTTP/1.0 health checks send no Host header.
  const listener = getRequestListener(fetch, {
    errorHandler: malformedRequestResponse,
    hostname: 'localhost',
  });
  const server = createServer(timeouts, listener);
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => answers.set(socket, response));
  server.on('clientError', (error, socket) => {
    // A response that has begun cannot be followed by another.
    const current = answers.get(socket);
    const isAnswered = current?.headersSent === true && !current.writableFinished;
    if (socket.writable && !isAnswered) socket.write(rawErrorResponse(error));
    socket.destroy();
  });
  return server;
}

async function closeServer(server: Server): Promise<void> {
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

function listenUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function listenErrorMessage(
  { code }: NodeJS.ErrnoException,
  at: { host: string; port: number },
): string {
  const address = `${at.host}, port ${at.port}`;
  if (code === 'EADDRINUSE')
    return `${address}: another program is already listening there, perhaps mneme serve; --port chooses another port`;
  if (code === 'EACCES') return `${address}: not permitted; ports below 1024 need privileges`;
  return `${address}: cannot listen there (${code ?? 'unknown reason'})`;
}
