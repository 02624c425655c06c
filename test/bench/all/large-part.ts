import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chunks } from '../fill-store.ts';
import type { Request } from '../http-load.ts';
import { settled } from '../load-turns.ts';
import { processState } from '../process-state.ts';
import { answerOf, post } from '../rest-requests.ts';
import { type Server, startService } from '../rest-servers.ts';
import { makeSentences, type Sentence } from '../sentences.ts';
import { median, timed } from '../statistics.ts';
import { milliseconds } from '../table.ts';
import { forBoth, type Line, line, type Pair, type Plan, type Side, withBoth } from './sides.ts';

/** Memories of one user, which one request stores. */
const each = 1000;
/** Users that are erased; others get what is added. */
const erased = 3;

type Users = readonly (readonly Sentence[])[];

/** A store of many users, filled once by each side, with vectors as they are by default. */
export async function measureLarge(plan: Plan): Promise<Line[]> {
  const users = chunks(makeSentences(plan.large, 1), each);
  const { sides } = plan;
  for (const { folder } of sides) mkdirSync(join(folder, large), { recursive: true });
  const stopping = { open: serviceOf, close: (server: Server) => server.stop() };
  const filling = await withBoth(sides, stopping, (both) => fill(both, users));
  // The file is whole once its server has stopped.
  const file = await forBoth(sides, ({ folder }) => megabytesIn(join(folder, large)));
  const lines = [
    line('large: stored in batches, cpu ms each', filling, (ms) => milliseconds(ms / plan.large)),
    line('large: the file, MB', file, (size) => size.toFixed(1)),
  ];
  const rest = await withBoth(sides, stopping, (both) => measureFilled(both, users, plan));
  return [...lines, ...rest];
}

const large = 'large';

function serviceOf({ folder, cli }: Side): Promise<Server> {
  return startService(join(folder, large), 'normal', { cli });
}

/** Processor milliseconds until all is stored. Both fill at once, as it takes long. */
function fill([before, now]: Pair<Server>, users: Users): Promise<Pair<number>> {
  return Promise.all([fillOne(before, users), fillOne(now, users)]);
}

async function fillOne(server: Server, users: Users): Promise<number> {
  const start = server.cpuMs();
  for (const [number, part] of users.entries()) {
    const messages = part.map(({ text }) => ({ role: 'user', content: text }));
    const request = { messages, user_id: nameOf(number), infer: false };
    await answerOf(server, post('/v1/memories/', request));
  }
  await settled(server);
  return server.cpuMs() - start;
}

function nameOf(user: number): string {
  return `user-${user}`;
}

/** All that is in the folder itself but its log. */
function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.txt'))
    .map(({ name }) => statSync(join(folder, name)).size);
  return files.reduce((sum, size) => sum + size, 0) / 1e6;
}

async function measureFilled(both: Pair<Server>, users: Users, { calls }: Plan): Promise<Line[]> {
  const usual = { count: calls, warmUps: 20, rests: false };
  const found = await oneByOne(both, { ...usual, request: (index) => searchOf(users, index) });
  const resident = await forBoth(both, ({ pid }) => processState(pid).rss_mb);
  const last = nameOf(users.length - 1);
  const added = await oneByOne(both, { ...usual, request: (index) => addOf(last, index) });
  const forgotten = await oneByOne(both, {
    count: Math.min(erased, users.length - 1),
    warmUps: 0,
    rests: true,
    request: (index) => ({ method: 'DELETE', path: `/v2/entities/user/${nameOf(index)}/` }),
  });
  return [
    line('large: search of a user, one by one: p50 ms', found, milliseconds),
    line('large: resident after searches, MB', resident, (size) => size.toFixed(0)),
    line('large: add, one by one: p50 ms', added, milliseconds),
    line(`large: erasing a user of ${each}: p50 ms`, forgotten, milliseconds),
  ];
}

type Calls = {
  count: number;
  /** Calls before, which do not count. */
  warmUps: number;
  /** Whether a server may first finish what it has put off. */
  rests: boolean;
  request: (index: number) => Request;
};

/** The median of each side; the sides take turns with single calls. */
async function oneByOne(both: Pair<Server>, calls: Calls): Promise<Pair<number>> {
  const { count, warmUps, rests, request } = calls;
  const times: [number[], number[]] = [[], []];
  for (let number = 0; number < warmUps + count; number += 1) {
    for (const index of number % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { ms } = await timed(() => answerOf(both[index], request(number)));
      if (number >= warmUps) times[index].push(ms);
      if (rests) await settled(both[index]);
    }
  }
  return [median(times[0]), median(times[1])];
}

/** Two words or a question of one user after the other. */
function searchOf(users: Users, index: number): Request {
  const user = index % users.length;
  const { phrase, question } = users[user]?.[(index * stride) % each] ?? {};
  const query = index % 2 === 0 ? phrase : question;
  return post('/v2/memories/search/', { query, filters: { user_id: nameOf(user) } });
}

/** A prime: steps of it reach every place. */
const stride = 7919;

function addOf(user_id: string, index: number): Request {
  const messages = `Measured fact number ${index} about a green kettle in Lisbon`;
  return post('/v1/memories/', { messages, user_id, infer: false });
}
