import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { conceptVector } from './concept-vectors.ts';

export type ModelRequest = {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
};

export type ModelReply = {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, instead of a body. */
  text?: string;
};

/** A model server on this machine, which responds like real ones, or as `reply` says. */
export type ModelServer = {
  url: string;
  requests: ModelRequest[];
  /** Null means the usual response, `never` none, and `closed` hangs up. */
  reply: (request: ModelRequest) => ModelReply | 'never' | 'closed' | null;
  dimension: number;
  close(): Promise<void>;
};

export async function startModelServer(): Promise<ModelServer> {
  const server: ModelServer = {
    url: '',
    requests: [],
    reply: () => null,
    dimension: 64,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const http = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { url: path = '', headers } = request;
    const asked: ModelRequest = { path, headers, body: JSON.parse(text) };
    server.requests.push(asked);
    const reply = server.reply(asked) ?? usual(asked, server);
    if (reply === 'never') return;
    if (reply === 'closed') {
      request.socket.destroy();
      return;
    }
    response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
    response.end(reply.text ?? JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
  return server;
}

function usual({ path, body }: ModelRequest, { dimension }: ModelServer): ModelReply {
  if (path !== '/v1/embeddings') return { status: 404 };
  const input = body.input as string[];
  const length = typeof body.dimensions === 'number' ? body.dimensions : dimension;
  const data = input.map((text, index) => {
    return { object: 'embedding', index, embedding: conceptVector(text, length) };
  });
  return { status: 200, body: { object: 'list', data: data.reverse() } };
}
