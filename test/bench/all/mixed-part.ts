import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fillMneme, user_id } from '../fill-store.ts';
import type { Request } from '../http-load.ts';
import { type Loaded, type LoadTotal, loadInTurns, rateOf } from '../load-turns.ts';
import { listIds, requestsOf } from '../rest-requests.ts';
import { type Server, startService } from '../rest-servers.ts';
import { makeSentences, type Sentence } from '../sentences.ts';
import { percentile } from '../statistics.ts';
import { milliseconds, perSecond } from '../table.ts';
import { forBoth, type Line, line, type Plan, type Side, withBoth } from './sides.ts';

/** Longer than a person waits without noticing. */
const longMs = 500;

/** What clients of one user do at the same time: search, read, list and add. */
export function measureMixed(plan: Plan): Promise<Line[]> {
  const sentences = makeSentences(plan.mixed, 1);
  const open = (side: Side) => filledService(side, sentences);
  return withBoth(plan.sides, { open, close: (server) => server.stop() }, async (both) => {
    const contenders = await forBoth(both, (server) => mixOf(server, sentences, plan));
    const seconds = plan.mixed_seconds / plan.turns;
    const [before, now] = await loadInTurns(contenders, { turns: plan.turns, seconds });
    if (before === undefined || now === undefined) throw new Error('both sides are measured');
    return linesOf(before, now);
  });
}

async function filledService(side: Side, sentences: readonly Sentence[]): Promise<Server> {
  const place = join(side.folder, 'mixed');
  mkdirSync(place, { recursive: true });
  await fillMneme(place, sentences, side.cli);
  return startService(place, 'normal', { cli: side.cli });
}

async function mixOf(
  server: Server,
  sentences: readonly Sentence[],
  { connections }: Plan,
): Promise<Loaded> {
  const { reads, adds } = requestsOf({ ids: await listIds(server), sentences }, connections);
  const named = (name: string) => {
    const row = [...reads, ...adds].find((one) => one.name === name);
    if (row === undefined) throw new Error(`no request is named ${name}`);
    return row.request;
  };
  const [words, question] = [named('search, two words'), named('search, question')];
  const [get, list] = [named('get by id'), named('list by user, page as it is')];
  const add = named('add, /v1');
  // In an order in which no kind comes all at once.
  const kinds = [words, get, question, words, list, question, words, get, question, add];
  const request = (index: number): Request => (kinds[index % kinds.length] ?? add)(index);
  return { name: `mixed load of ${user_id}`, server, connections, request };
}

function linesOf(before: LoadTotal, now: LoadTotal): Line[] {
  const row = (name: string, of: (total: LoadTotal) => number, show = milliseconds) =>
    line(`mixed: ${name}`, [of(before), of(now)], show);
  return [
    row('requests a second', rateOf, (rate) => perSecond(rate, 1000)),
    row('cpu ms', ({ cpuMs, ms }) => cpuMs / ms.length),
    row('p50 ms', ({ ms }) => percentile(ms, 50)),
    row('p99 ms', ({ ms }) => percentile(ms, 99)),
    row('longest ms', ({ ms }) => percentile(ms, 100)),
    row(`over ${longMs} ms`, ({ ms }) => ms.filter((time) => time > longMs).length, String),
    row('errors', ({ errors }) => errors, String),
  ];
}
