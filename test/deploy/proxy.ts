import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from '../support/pause.ts';

/** Something in front of several servers. */
export type InFront = { url: string; stop(): Promise<void> };

const lookEveryMs = 100;

/**
 * What proxies have in common: takes the servers in turn that answer at /readyz, keeps connections
 * to them, asks the next one where it can't connect, and repeats nothing that may have arrived.
 */
export async function startProxy(upstreams: readonly string[]): Promise<InFront> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  const stopped = new AbortController();
  await Promise.all(upstreams.map((upstream) => look(upstream, ready)));
  for (const upstream of upstreams) void keepLooking(upstream, ready, stopped.signal);
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const known = upstreams.filter((upstream) => ready.has(upstream));
    const inTurn = known.map((_, index) => known[(turn + index) % known.length] ?? '');
    passOn(incoming, outgoing, { agent, upstreams: inTurn });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // of TCP
    stop: async () => {
      stopped.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

/** One look after another: an old answer that comes late must not undo a newer one. */
async function keepLooking(
  upstream: string,
  ready: Set<string>,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    await pause(lookEveryMs);
    await look(upstream, ready);
  }
}

async function look(upstream: string, ready: Set<string>): Promise<void> {
  const answer = await fetch(`${upstream}/readyz`).catch(() => null);
  if (answer?.status === 200) ready.add(upstream);
  else ready.delete(upstream);
}

type Passing = { agent: Agent; upstreams: string[] };

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { agent, upstreams }: Passing,
): void {
  const [first, ...others] = upstreams;
  if (first === undefined) {
    outgoing.writeHead(502).end();
    return;
  }
  const { method, headers, url } = incoming;
  const passed = request(`${first}${url}`, { method, headers, agent });
  passed.on('response', (answer) => {
    const { connection: _, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
  });
  passed.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNREFUSED') outgoing.writeHead(502).end(String(error.code));
    else passOn(incoming, outgoing, { agent, upstreams: others });
  });
  // A body is taken only by a server that is there.
  passed.on('socket', (socket) => {
    const send = () => incoming.pipe(passed);
    if (socket.connecting) socket.once('connect', send);
    else send();
  });
}
