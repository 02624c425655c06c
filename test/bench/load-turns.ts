import { pause } from '../support/pause.ts';
import { load, type Measured } from './http-load.ts';
import type { Row } from './rest-requests.ts';
import type { Server } from './rest-servers.ts';
import { inRounds } from './turns.ts';

/** Requests of one kind to one server. */
export type Loaded = Row & { server: Server };
export type LoadTotal = Measured & { cpuMs: number };

/** Steps from one turn's requests to those of the next. */
const turnStride = 1_000_003;

/** All warm up for no longer. */
const warmUpSeconds = 2;

/** In turns of so many seconds; what is answered while all warm up does not count. */
export async function loadInTurns(
  contenders: readonly Loaded[],
  { turns, seconds }: { turns: number; seconds: number },
): Promise<LoadTotal[]> {
  const totals = contenders.map((): LoadTotal => ({ ms: [], errors: 0, seconds: 0, cpuMs: 0 }));
  await inRounds(contenders, turns, async ({ contender, index, round }) => {
    const { server, connections, request } = contender;
    const shifted = (count: number) => request((round + 1) * turnStride + count);
    const cpuBefore = server.cpuMs();
    const own = round < 0 ? Math.min(seconds, warmUpSeconds) : seconds;
    const part = await load({ url: server.url, connections, seconds: own, request: shifted });
    await settled(server);
    const total = totals[index];
    if (round < 0 || total === undefined) return;
    for (const time of part.ms) total.ms.push(time);
    total.errors += part.errors;
    total.seconds += part.seconds;
    total.cpuMs += server.cpuMs() - cpuBefore;
  });
  return totals;
}

/** Requests a second. */
export function rateOf({ ms, seconds }: Measured): number {
  return ms.length / seconds;
}

/** Milliseconds of processor time for a request. */
export function cpuEach({ ms, cpuMs }: LoadTotal): number {
  return cpuMs / ms.length;
}

/** At most so long a server may go on with what it has put off. */
const settleMs = 10_000;
const pollMs = 100;
/** A tenth of the time between two looks is what an idle server may use. */
const idleMs = pollMs / 10;

/** Waits until the server rests: what it has put off is not in the way of the next one. */
export async function settled(server: Server): Promise<void> {
  const end = performance.now() + settleMs;
  let before = server.cpuMs();
  while (performance.now() < end) {
    await pause(pollMs);
    const now = server.cpuMs();
    if (now - before <= idleMs) return;
    before = now;
  }
}
