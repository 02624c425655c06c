// Requests a second over /mcp, beside stdio and the SDK's minimal servers: `npm run bench:mcp-http`. What is
// compared, flags and results: README.md.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { minimal } from './bundle-minimal.ts';
import { mneme, type Program, withFolder } from './client.ts';
import { fillMneme, user_id } from './fill-store.ts';
import { type Listening, listening } from './http-server.ts';
import {
  accepted,
  clientInfo,
  idIn,
  type Message,
  newerCall,
  newerHeaders,
  type Tool,
} from './mcp-calls.ts';
import { key } from './rest-servers.ts';
import { makeSentences } from './sentences.ts';
import { percentile, timed } from './statistics.ts';
import { type Piped, piped } from './stdio-server.ts';
import { milliseconds, perSecond, table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '16' },
  },
});
const requests = Number(flags.requests);
const connections = Number(flags.connections);
/** Work is done in turns of so many, so that noise meets all alike. */
const turns = 5;

/** One way to call one tool of one server. */
type Measured = {
  name: string;
  over: string;
  pid: number;
  /** Calls the tool and answers all that came back. */
  call(): Promise<string>;
  /** What a right answer holds. */
  holds: string;
  ms: number[];
  wallMs: number;
  cpuMs: number;
};

type Contender = { listening: Listening; pool: Pool; path: string; piped: Piped };

await withFolder(async (folder) => {
  const store = join(folder, 'mneme');
  mkdirSync(store);
  const sentences = makeSentences(Number(flags.memories), 1);
  await fillMneme(store, sentences);
  const ours = await contender(served(store), mneme(store), '/mcp');
  const echoing = await Promise.all([
    minimal(join(folder, 'http'), 'minimal-http-server.ts'),
    minimal(join(folder, 'stdio'), 'minimal-server.ts'),
  ]);
  const bare = await contender(...echoing, '/');

  const { phrase = '', text = '' } = sentences.at(-1) ?? {};
  const search = { name: 'search_memories', arguments: { query: phrase, user_id } };
  const memory_id = idIn(await ours.piped.ask(newerCall(search)));
  const get = { name: 'get_memory', arguments: { memory_id } };
  const echo = { name: 'echo', arguments: { text } };
  const measured = [
    ...(await ways('minimal server: echo', bare, { tool: echo, holds: text })),
    ...(await ways('mneme: get_memory', ours, { tool: get, holds: memory_id })),
    ...(await ways('mneme: search_memories', ours, { tool: search, holds: phrase })),
  ];
  for (let turn = -1; turn < turns; turn += 1) {
    for (const one of measured) await measure(one, turn < 0);
  }
  for (const { pool, listening: server, piped: pipes } of [ours, bare]) {
    await pool.close();
    await Promise.all([server.end(), pipes.end()]);
  }
  print(measured);
});

async function contender(http: Program, stdio: Program, path: string): Promise<Contender> {
  const server = await listening(http);
  const pool = new Pool(server.url, { connections });
  return { listening: server, pool, path, piped: piped(stdio) };
}

function served(store: string): Program {
  const { args, env } = mneme(store, ['--port', '0']);
  const [cli = '', ...rest] = args;
  return { args: [cli, 'serve', ...rest], env: { ...env, MNEME_BOOTSTRAP_KEY: key } };
}

/** Over HTTP in both eras of the protocol, and over pipes. */
async function ways(
  name: string,
  { listening: { pid }, pool, path, piped: pipes }: Contender,
  { tool, holds }: { tool: Tool; holds: string },
): Promise<Measured[]> {
  const of = (over: string, server: number, call: Measured['call']): Measured => {
    return { name, over, pid: server, call, holds, ms: [], wallMs: 0, cpuMs: 0 };
  };
  const post = createPost(pool, path);
  const session = await openSession(post);
  const named = newerHeaders(tool);
  const older = { method: 'tools/call', params: tool };
  return [
    of('HTTP, newer', pid, async () => (await post(newerCall(tool), named)).body),
    of('HTTP, older', pid, async () => (await post(older, session)).body),
    of('stdio, newer', pipes.pid, () => pipes.ask(newerCall(tool))),
  ];
}

/** One turn: all connections at work until the share of this turn is done. */
async function measure(one: Measured, isWarmUp: boolean): Promise<void> {
  const cpuBefore = cpuMsOf(one.pid);
  let left = Math.ceil(requests / turns);
  const ms: number[] = [];
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const { value, ms: took } = await timed(one.call);
      if (!value.includes(one.holds)) throw new Error(`${one.name}: ${value.slice(0, 500)}`);
      ms.push(took);
    }
  };
  const { ms: wallMs } = await timed(() =>
    Promise.all(Array.from({ length: connections }, () => work())),
  );
  if (isWarmUp) return;
  one.ms.push(...ms);
  one.wallMs += wallMs;
  one.cpuMs += cpuMsOf(one.pid) - cpuBefore;
}

type Headers = Record<string, string>;

function createPost(pool: Pool, path: string) {
  return async (message: Message, own: Headers = {}) => {
    const { headers, body } = await pool.request({
      path,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...accepted,
        Authorization: `Bearer ${key}`,
        ...own,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
    return { headers, body: await body.text() };
  };
}

/** What calls of the older era carry; a server without sessions gives nothing. */
async function openSession(post: ReturnType<typeof createPost>): Promise<Headers> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { headers } = await post({ method: 'initialize', params });
  const id = headers['mcp-session-id'];
  return id === undefined ? {} : { 'Mcp-Session-Id': String(id) };
}

/** What all threads of a process computed so far; on Linux only, in steps of 10 ms. */
function cpuMsOf(pid: number): number {
  try {
    const [, user = 0, system = 0] =
      /\) \S+(?: \S+){10} (\d+) (\d+)/
        .exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
        ?.map(Number) ?? [];
    return (user + system) * 10;
  } catch {
    return Number.NaN;
  }
}

function print(measured: readonly Measured[]): void {
  const head = [
    `${connections} at once`,
    'over',
    'requests',
    'a second',
    'p50 ms',
    'p99 ms',
    'cpu ms',
  ];
  const rows = measured.map(({ name, over, ms, wallMs, cpuMs }) => [
    name,
    over,
    String(ms.length),
    perSecond(ms.length, wallMs),
    milliseconds(percentile(ms, 50)),
    milliseconds(percentile(ms, 99)),
    Number.isNaN(cpuMs) ? '-' : milliseconds(cpuMs / ms.length),
  ]);
  console.log(`\n${flags.memories} memories, Node ${process.version}\n`);
  console.log(table(head, rows));
}
