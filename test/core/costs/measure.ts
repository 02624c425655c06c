import type { Counts } from '../../support/driver-counts.ts';
import { type MeasuredCall, measuredCalls } from './calls.ts';
import { startMeasured } from './measured-app.ts';

/** What a call costs; `bytes` are those by which the store grows, where enough calls are made. */
export type Costs = Counts & { bytes?: number };

/** A cost that is another one where there are 10,000 memories, and the reason for it. */
export type Growth = readonly [at100: number, at10000: number, because: string];

/** The costs that are expected, the same for 100 memories and for 10,000 unless they say more. */
export type ExpectedCosts = {
  statements: number | Growth;
  rows_read: number | Growth;
  rows_written: number | Growth;
  /** At most: a store grows by whole pages, of which a call fills a part. */
  bytes_max?: number;
};

/** Of how many calls the growth is told. */
const callsMin = 50;

export function nameOf({ operation, what }: MeasuredCall): string {
  return what === undefined ? operation : `${operation}: ${what}`;
}

/** What each call costs where the user has so many memories. */
export async function costsAt(memories: number): Promise<Map<string, Costs>> {
  const app = await startMeasured(memories);
  const costs = new Map<string, Costs>();
  try {
    for (const call of measuredCalls) {
      // The first one also prepares what all others find prepared.
      await app.costOf(call.operation, await call.input(call.times, app));
      const bytesBefore = app.storedBytes();
      const counts: Counts[] = [];
      for (let at = 0; at < call.times; at += 1) {
        counts.push(await app.costOf(call.operation, await call.input(at, app)));
      }
      const bytes = Math.round((app.storedBytes() - bytesBefore) / call.times);
      costs.set(nameOf(call), { ...usual(counts), ...(call.times >= callsMin && { bytes }) });
    }
  } finally {
    await app.close();
  }
  return costs;
}

/** The median of each: now and then a call also packs vectors, or merges what others wrote. */
function usual(counts: readonly Counts[]): Counts {
  const median = (name: keyof Counts) => {
    const sorted = counts.map((one) => one[name]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  };
  return {
    statements: median('statements'),
    rows_read: median('rows_read'),
    rows_written: median('rows_written'),
  };
}
