import { join } from 'node:path';
import { cpuEach, type Loaded, type LoadTotal, loadInTurns, rateOf } from '../load-turns.ts';
import { newerCall, newerHeaders } from '../mcp-calls.ts';
import {
  answerOf,
  listIds,
  post,
  type Row,
  requestsOf,
  rowNamed,
  textOf,
} from '../rest-requests.ts';
import { type Server, startBare, startService } from '../rest-servers.ts';
import { median } from '../statistics.ts';
import { milliseconds, perSecond } from '../table.ts';
import {
  copyOfFilled,
  forBoth,
  type Line,
  line,
  type Pair,
  type Plan,
  pairOf,
  type Side,
  withBoth,
} from './sides.ts';

/** What a service is asked, by name, and a memory of it. */
type Asked = { server: Server; id: string; rows: readonly Row[] };

/** Names of `requestsOf`, and what the table says. */
const measured = [
  ['search, two words', 'search, two words'],
  ['search, question', 'search, question'],
  ['list by user, page as it is', 'page of 100'],
  ['get_memory', 'get_memory over /mcp'],
  // Last: until then, both sides have the same memories.
  ['add, /v1', 'add, durable'],
] as const;

/** Searches, reads and adds over HTTP. */
export function measureRest(plan: Plan): Promise<Line[]> {
  const open = (side: Side) => startService(copyOfFilled(side, 'rest'), 'full', { cli: side.cli });
  return withBoth(plan.sides, { open, close: (server) => server.stop() }, async (servers) => {
    const both = await forBoth(servers, (server) => askedOf(server, plan));
    const lines = await shareOfBare(both, plan);
    for (const [name, shown] of measured) {
      const totals = pairOf(await loadInTurns(loadedOf(both, name), plan));
      lines.push(ratesOf(shown, totals), cpuOf(shown, totals));
      if (name === 'list by user, page as it is') lines.push(timesOf(shown, totals));
    }
    return lines;
  });
}

async function askedOf(server: Server, { sentences, connections }: Plan): Promise<Asked> {
  const ids = await listIds(server);
  const [id = ''] = ids;
  const { reads, adds } = requestsOf({ ids, sentences }, connections);
  const ours = adds.filter((row) => row.connections === connections);
  const rows = [...reads, ...ours, await toolRow(server, id, connections)];
  return { server, id, rows };
}

async function toolRow(server: Server, memory_id: string, connections: number): Promise<Row> {
  const name = 'get_memory';
  const tool = { name, arguments: { memory_id } };
  const message = { jsonrpc: '2.0', id: 1, ...newerCall(tool) };
  const call = { ...post('/mcp', message), headers: newerHeaders(tool) };
  const answer = await answerOf(server, call);
  // A tool that refuses does so with a 200.
  if (!answer.includes(memory_id)) throw new Error(`refused: ${answer.slice(0, 500)}`);
  return { name, connections, request: () => call };
}

function loadedOf(both: Pair<Asked>, name: string): Loaded[] {
  return both.map(({ server, rows }) => ({ ...rowNamed(rows, name), server }));
}

async function shareOfBare(both: Pair<Asked>, plan: Plan): Promise<Line[]> {
  const [{ server, id, rows }] = both;
  const name = 'get by id';
  const bare = await startBare(join(plan.folder, 'bare'), await textOf(server, id));
  try {
    const route = { ...rowNamed(rows, name), server: bare };
    const totals = await loadInTurns([...loadedOf(both, name), route], plan);
    const [before, now] = pairOf(totals);
    const share = (total: LoadTotal) => (100 * rateOf(total)) / rateOf(totals[2] as LoadTotal);
    return [
      line(`${name}: % of a bare route`, [share(before), share(now)], (part) => part.toFixed(0)),
      cpuOf(name, [before, now]),
    ];
  } finally {
    await bare.stop();
  }
}

/** A row that answers errors is none: refusing is fast. */
function ratesOf(name: string, [before, now]: Pair<LoadTotal>): Line {
  const errors = before.errors + now.errors;
  if (errors > 0) throw new Error(`${name}: ${errors} errors`);
  return line(`${name}: a second`, [rateOf(before), rateOf(now)], (rate) => perSecond(rate, 1000));
}

function cpuOf(name: string, [before, now]: Pair<LoadTotal>): Line {
  return line(`${name}: cpu ms`, [cpuEach(before), cpuEach(now)], milliseconds);
}

function timesOf(name: string, [before, now]: Pair<LoadTotal>): Line {
  return line(`${name}: p50 ms`, [median(before.ms), median(now.ms)], milliseconds);
}
