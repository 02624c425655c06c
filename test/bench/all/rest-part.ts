import { join } from 'node:path';
import { user_id } from '../fill-store.ts';
import type { Request } from '../http-load.ts';
import { type Loaded, type LoadTotal, loadInTurns, rateOf } from '../load-turns.ts';
import { newerCall, newerHeaders } from '../mcp-calls.ts';
import { answerOf, listIds, post, requestsOf, textOf } from '../rest-requests.ts';
import { key, type Server, startBare, startService } from '../rest-servers.ts';
import { milliseconds, perSecond } from '../table.ts';
import { copyOfFilled, forBoth, type Line, line, type Pair, type Plan, withBoth } from './sides.ts';

type Requests = { server: Server; ids: string[]; of: Record<string, (index: number) => Request> };

/** Searches, reads and adds over HTTP; reads first, as each side then has the same memories. */
export function measureRest(plan: Plan): Promise<Line[]> {
  const open = async (side: Plan['sides'][number]) =>
    startService(copyOfFilled(side, 'rest'), 'full', { cli: side.cli });
  return withBoth(plan.sides, { open, close: (server) => server.stop() }, async (servers) => {
    const both = await forBoth(servers, (server) => requestsTo(server, plan));
    const lines: Line[] = [];
    for (const name of ['search, two words', 'search, question']) {
      lines.push(...ratesOf(name, await totals(name, both, plan)));
    }
    lines.push(...(await shareOfBare(both, plan)));
    lines.push(...(await pages(both, plan)));
    for (const name of ['get_memory over /mcp', 'search_memories over /mcp', 'add, durable']) {
      lines.push(...ratesOf(name, await totals(name, both, plan)));
    }
    return lines;
  });
}

async function requestsTo(server: Server, { sentences, connections }: Plan): Promise<Requests> {
  const ids = await listIds(server);
  const { reads, adds } = requestsOf({ ids, sentences }, connections);
  const of = Object.fromEntries(reads.map(({ name, request }) => [name, request]));
  const [add] = adds;
  if (add === undefined) throw new Error('there is an add');
  of['add, durable'] = add.request;
  const [memory_id = ''] = ids;
  const get = toolCall('get_memory', { memory_id });
  const search = toolCall('search_memories', { query: sentences[0]?.phrase, user_id });
  for (const call of [get, search]) await assertRight(server, call);
  of['get_memory over /mcp'] = () => get;
  of['search_memories over /mcp'] = () => search;
  return { server, ids, of };
}

function toolCall(name: string, args: object): Request {
  const tool = { name, arguments: args };
  const body = { jsonrpc: '2.0', id: 1, ...newerCall(tool) };
  return { ...post('/mcp', body), headers: newerHeaders(tool) };
}

/** A tool that refuses does so with a 200. */
async function assertRight(server: Server, request: Request): Promise<void> {
  const answer = await answerOf(server, request);
  if (!/"isError":true|"error":\{/.test(answer)) return;
  throw new Error(`refused: ${answer.slice(0, 500)}`);
}

async function totals(name: string, both: Pair<Requests>, plan: Plan): Promise<Pair<LoadTotal>> {
  return pairOf(await loadInTurns(contendersOf(name, both, plan), plan));
}

function contendersOf(name: string, both: Pair<Requests>, { connections }: Plan): Loaded[] {
  return both.map(({ server, of }) => {
    const request = of[name];
    if (request === undefined) throw new Error(`no request is named ${name}`);
    return { name, server, connections, request };
  });
}

function ratesOf(name: string, both: Pair<LoadTotal>): Line[] {
  const [before, now] = both;
  for (const { errors } of both) if (errors > 0) throw new Error(`${name}: ${errors} errors`);
  const cpu = ({ cpuMs, ms }: LoadTotal) => cpuMs / ms.length;
  return [
    line(`${name}: a second`, [rateOf(before), rateOf(now)], (rate) => perSecond(rate, 1000)),
    line(`${name}: cpu ms`, [cpu(before), cpu(now)], milliseconds),
  ];
}

async function shareOfBare(both: Pair<Requests>, plan: Plan): Promise<Line[]> {
  const [{ ids }] = both;
  const [id = ''] = ids;
  const name = 'get by id';
  const server = await startBare(join(plan.folder, 'bare'), await textOf(both[0].server, id));
  try {
    const contenders = contendersOf(name, both, plan);
    const request = (): Request => ({ method: 'GET', path: `/v1/memories/${id}/`, key });
    const bare = { name: 'bare', server, connections: plan.connections, request };
    const [before, now, alone] = await loadInTurns([...contenders, bare], plan);
    const [own, measured] = [pairOf([before, now]), pairOf([alone, alone])[0]];
    const share = (total: LoadTotal) => (100 * rateOf(total)) / rateOf(measured);
    const shares: Pair<number> = [share(own[0]), share(own[1])];
    return [
      line(`${name}: % of a bare route`, shares, (percent) => percent.toFixed(0)),
      ...ratesOf(name, own).slice(1),
    ];
  } finally {
    await server.stop();
  }
}

async function pages(both: Pair<Requests>, plan: Plan): Promise<Line[]> {
  return ratesOf('page of 100', await totals('list by user, page as it is', both, plan));
}

function pairOf<T>([before, now]: readonly (T | undefined)[]): Pair<T> {
  if (before === undefined || now === undefined) throw new Error('both sides are measured');
  return [before, now];
}
