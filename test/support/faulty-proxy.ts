import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { versionHeader } from '../../src/contract/http-binding.ts';

/** What happens to a request; `after` means that the service has carried it out. */
export type Fault =
  | 'none'
  | 'reset before'
  | 'reset after'
  | 'cut off after'
  | 'half of the JSON after'
  | 'bytes now and then after'
  | 'silence'
  | 'a page of 502 before'
  | 'a page of 502 after'
  | 'a limit';

/** A server in front of a service, with a fault for each request except pings, in turn. */
export type FaultyProxy = {
  url: string;
  /** Methods and paths of the requests, except pings. */
  requests: string[];
  stop(): Promise<void>;
};

export async function startFaultyProxy(
  service: { url: string; isMneme: boolean },
  faults: readonly Fault[],
): Promise<FaultyProxy> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const isPing = request.url === '/v1/ping/';
    if (!isPing) requests.push(`${request.method} ${request.url}`);
    const fault = isPing ? 'none' : (faults[requests.length - 1] ?? 'none');
    const body = await bodyOf(request);
    const forward = () => forwarded(service, request, body);
    await reactions[fault]({ request, response, forward }).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

type Forwarded = { status: number; headers: Record<string, string>; text: string };
type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  forward: () => Promise<Forwarded>;
};

const reactions: Record<Fault, (exchange: Exchange) => Promise<void>> = {
  none: async ({ response, forward }) => {
    const { status, headers, text } = await forward();
    response.writeHead(status, headers).end(text);
  },
  'reset before': async ({ request }) => void request.socket.resetAndDestroy(),
  'reset after': async ({ request, forward }) => {
    await forward();
    request.socket.resetAndDestroy();
  },
  'cut off after': async ({ request, response, forward }) => {
    const { status, headers, text } = await forward();
    const length = String(Buffer.byteLength(text));
    response.writeHead(status, { ...headers, 'Content-Length': length });
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
  },
  'half of the JSON after': async ({ response, forward }) => {
    const { status, headers, text } = await forward();
    response.writeHead(status, headers).end(text.slice(0, text.length / 2));
  },
  'bytes now and then after': async ({ response, forward }) => {
    const { status, headers } = await forward();
    response.writeHead(status, headers);
    const timer = setInterval(() => response.write(' '), 10);
    response.once('close', () => clearInterval(timer));
  },
  silence: async () => {},
  'a page of 502 before': async ({ response }) => badGateway(response),
  'a page of 502 after': async ({ response, forward }) => {
    await forward();
    badGateway(response);
  },
  'a limit': async ({ response }) => {
    response.writeHead(429, { 'Retry-After': '1', 'Content-Type': 'application/json' });
    response.end('{"detail":"Request was throttled."}');
  },
};

function badGateway(response: ServerResponse): void {
  const page = '<html><body><h1>502 Bad Gateway</h1>upstream 10.0.0.7:8080</body></html>';
  response.writeHead(502, { 'Content-Type': 'text/html' }).end(page);
}

/** A server that is not mneme neither announces nor supports idempotency keys. */
async function forwarded(
  { url, isMneme }: { url: string; isMneme: boolean },
  { method = '', url: path = '', headers }: IncomingMessage,
  body: string,
): Promise<Forwarded> {
  const kept = ['authorization', 'content-type', ...(isMneme ? ['accept', 'idempotency-key'] : [])];
  const sent = kept.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
  const answer = await fetch(url + path, {
    method,
    headers: Object.fromEntries(sent),
    ...(body !== '' && { body }),
  });
  const passed = ['content-type', ...(isMneme ? [versionHeader] : [])].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const { status } = answer;
  return { status, headers: Object.fromEntries(passed), text: await answer.text() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
