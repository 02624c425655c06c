// Requests a second over /mcp, beside the SDK's minimal server: `npm run bench:mcp-http`. What is
// compared, flags and results: README.md.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { mneme, type Program, withFolder } from './client.ts';
import { fillMneme, user_id } from './fill.ts';
import { minimal } from './minimal.ts';
import { makeSentences } from './sentences.ts';
import { type Listening, listening } from './served.ts';
import { percentile, timed } from './statistics.ts';
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
const key = 'mk_bench';

type Era = 'newer' | 'older';
type Measured = {
  name: string;
  era: Era;
  server: Listening;
  pool: Pool;
  path: string;
  tool: { name: string; arguments: object };
  /** What a right answer holds. */
  holds: string;
  session: string | null;
  ms: number[];
  wallMs: number;
  cpuMs: number;
};

await withFolder(async (folder) => {
  const store = join(folder, 'mneme');
  mkdirSync(store);
  const sentences = makeSentences(Number(flags.memories), 1);
  await fillMneme(store, sentences);
  const [ours, bare] = [await listening(served(store)), await listening(await echoing(folder))];
  const pools = [ours, bare].map(({ url }) => new Pool(url, { connections }));
  const [pool, barePool] = pools;
  if (pool === undefined || barePool === undefined) throw new Error('no pools');

  const { phrase = '', text = '' } = sentences.at(-1) ?? {};
  const memory_id = await idOf(pool, phrase);
  const of = (name: string, at: object, tool: Measured['tool'], holds: string) =>
    (['newer', 'older'] as const).map((era) => measuring({ name, era, tool, holds, ...at }));
  const mcp = { server: ours, pool, path: '/mcp' };
  const measured = [
    ...of('minimal server: echo', { server: bare, pool: barePool, path: '/' }, echo(text), text),
    ...of('mneme: get_memory', mcp, { name: 'get_memory', arguments: { memory_id } }, memory_id),
    ...of('mneme: search_memories', mcp, search(phrase), phrase),
  ];
  for (let turn = -1; turn < turns; turn += 1) {
    for (const one of measured) await measure(one, turn < 0);
  }
  await Promise.all(pools.map((one) => one.close()));
  await Promise.all([ours.end(), bare.end()]);
  print(measured);
});

function served(store: string): Program {
  const { args, env } = mneme(store, ['serve', '--port', '0']);
  // The command comes first.
  const [cli = '', ...rest] = args.filter((arg) => arg !== 'serve');
  return { args: [cli, 'serve', ...rest], env: { ...env, MNEME_BOOTSTRAP_KEY: key } };
}

function echoing(folder: string): Promise<Program> {
  return minimal(folder, 'minimal-http-server.ts');
}

function echo(text: string): Measured['tool'] {
  return { name: 'echo', arguments: { text } };
}

function search(query: string): Measured['tool'] {
  return { name: 'search_memories', arguments: { query, user_id } };
}

function measuring(one: object): Measured {
  return { ...(one as Measured), session: null, ms: [], wallMs: 0, cpuMs: 0 };
}

/** One turn: all connections at work until the share of this turn is done. */
async function measure(one: Measured, isWarmUp: boolean): Promise<void> {
  if (one.era === 'older' && one.session === null) one.session = await openSession(one);
  const cpuBefore = cpuMsOf(one.server.pid);
  let left = Math.ceil(requests / turns);
  const ms: number[] = [];
  const work = async () => {
    while (left > 0) {
      left -= 1;
      ms.push((await timed(() => callTool(one))).ms);
    }
  };
  const { ms: wallMs } = await timed(() =>
    Promise.all(Array.from({ length: connections }, () => work())),
  );
  if (isWarmUp) return;
  one.ms.push(...ms);
  one.wallMs += wallMs;
  one.cpuMs += cpuMsOf(one.server.pid) - cpuBefore;
}

async function callTool(one: Measured): Promise<void> {
  const text = await post(one, { method: 'tools/call', id: 1, params: paramsOf(one) });
  if (!text.body.includes(one.holds)) throw new Error(`${one.name}: ${text.body.slice(0, 500)}`);
}

const revision = '2026-07-28';

function paramsOf({ era, tool }: Measured): object {
  if (era === 'older') return tool;
  const prefix = 'io.modelcontextprotocol';
  const _meta = {
    [`${prefix}/protocolVersion`]: revision,
    [`${prefix}/clientInfo`]: { name: 'mneme-bench', version: '1.0.0' },
    [`${prefix}/clientCapabilities`]: {},
  };
  return { ...tool, _meta };
}

async function openSession(one: Measured): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'mneme-bench', version: '1.0.0' },
  };
  const { headers } = await post(one, { method: 'initialize', id: 0, params });
  return String(headers['mcp-session-id'] ?? '');
}

type Sent = { method: string; id: number; params: object };

async function post({ pool, path, era, session, tool }: Measured, message: Sent) {
  const newer = { 'Mcp-Protocol-Version': revision, 'Mcp-Method': message.method };
  const response = await pool.request({
    path,
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${key}`,
      ...(era === 'newer' && { ...newer, 'Mcp-Name': tool.name }),
      ...(session && { 'Mcp-Session-Id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  return { headers: response.headers, body: await response.body.text() };
}

async function idOf(pool: Pool, phrase: string): Promise<string> {
  const tool = search(phrase);
  const { body } = await post(measuring({ pool, path: '/mcp', era: 'newer', tool }), {
    method: 'tools/call',
    id: 1,
    params: paramsOf(measuring({ era: 'newer', tool })),
  });
  const [, id] = /"id":"([\da-f-]{36})"/.exec(body) ?? [];
  if (id === undefined) throw new Error(`nothing found: ${body.slice(0, 500)}`);
  return id;
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
    `${connections} connections`,
    'era',
    'requests',
    'a second',
    'p50 ms',
    'p99 ms',
    'cpu ms',
  ];
  const rows = measured.map(({ name, era, ms, wallMs, cpuMs }) => [
    name,
    era,
    String(ms.length),
    perSecond(ms.length, wallMs),
    milliseconds(percentile(ms, 50)),
    milliseconds(percentile(ms, 99)),
    Number.isNaN(cpuMs) ? '-' : milliseconds(cpuMs / ms.length),
  ]);
  console.log(`\n${flags.memories} memories, Node ${process.version}\n`);
  console.log(table(head, rows));
}
