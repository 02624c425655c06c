import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fillMneme } from '../fill-store.ts';
import type { Request } from '../http-load.ts';
import { cpuEach, type Loaded, type LoadTotal, loadInTurns, rateOf } from '../load-turns.ts';
import { listIds, requestsOf, rowNamed } from '../rest-requests.ts';
import { type Server, startService } from '../rest-servers.ts';
import { makeSentences, type Sentence } from '../sentences.ts';
import { percentile } from '../statistics.ts';
import { milliseconds, perSecond } from '../table.ts';
import {
  forBoth,
  type Line,
  line,
  type Pair,
  type Plan,
  pairOf,
  type Side,
  withBoth,
} from './sides.ts';

/** Longer than a person waits without noticing. */
const longMs = 500;

/** What clients of one user do at the same time: search, read, list and add. */
export function measureMixed(plan: Plan): Promise<Line[]> {
  const sentences = makeSentences(plan.mixed, 1);
  const open = (side: Side) => filledService(side, sentences);
  return withBoth(plan.sides, { open, close: (server) => server.stop() }, async (both) => {
    const contenders = await forBoth(both, (server) => mixOf(server, sentences, plan));
    const seconds = plan.mixed_seconds / plan.turns;
    const totals = await loadInTurns(contenders, { turns: plan.turns, seconds });
    return linesOf(pairOf(totals));
  });
}

async function filledService(side: Side, sentences: readonly Sentence[]): Promise<Server> {
  const place = join(side.folder, 'mixed');
  mkdirSync(place, { recursive: true });
  await fillMneme(place, sentences, side.cli);
  return startService(place, 'normal', { cli: side.cli });
}

type Kind = Loaded['request'];

async function mixOf(
  server: Server,
  sentences: readonly Sentence[],
  { connections }: Plan,
): Promise<Loaded> {
  const { reads, adds } = requestsOf({ ids: await listIds(server), sentences }, connections);
  const [get, list] = ['get by id', 'list by user, page as it is'];
  const [words, question] = ['search, two words', 'search, question'];
  // In an order in which no kind comes all at once.
  const names = [words, get, question, words, list, question, words, get, question, 'add, /v1'];
  const kinds = names.map((name) => rowNamed([...reads, ...adds], name).request);
  const request = (index: number): Request => (kinds[index % kinds.length] as Kind)(index);
  return { name: 'mixed load', server, connections, request };
}

function linesOf([before, now]: Pair<LoadTotal>): Line[] {
  const row = (name: string, of: (total: LoadTotal) => number, show = milliseconds) =>
    line(`mixed: ${name}`, [of(before), of(now)], show);
  return [
    row('requests a second', rateOf, (rate) => perSecond(rate, 1000)),
    row('cpu ms', cpuEach),
    row('p50 ms', ({ ms }) => percentile(ms, 50)),
    row('p99 ms', ({ ms }) => percentile(ms, 99)),
    row('longest ms', ({ ms }) => percentile(ms, 100)),
    row(`over ${longMs} ms`, ({ ms }) => ms.filter((time) => time > longMs).length, String),
    row('errors', ({ errors }) => errors, String),
  ];
}
