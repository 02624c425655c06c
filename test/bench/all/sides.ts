import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fillMneme } from '../fill-store.ts';
import type { Sentence } from '../sentences.ts';

/** One of the two builds that are measured by the same code. */
export type Side = { name: string; cli: string; folder: string };

export type Pair<T> = readonly [before: T, now: T];

/** What all parts of the measurement know. */
export type Plan = {
  sides: Pair<Side>;
  /** For what belongs to neither side. */
  folder: string;
  /** One user's memories, which each side has stored in `filled`. */
  sentences: readonly Sentence[];
  /** Memories of the large store, and of the store under a mixed load. */
  large: number;
  mixed: number;
  connections: number;
  /** Of each kind of request, in each turn. */
  seconds: number;
  turns: number;
  /** Of the mixed load, all turns together. */
  mixed_seconds: number;
  /** Starts of each program. */
  rounds: number;
  /** Calls that are made one after the other. */
  calls: number;
  /** Turns of conversations that are understood. */
  said: number;
};

/** A row of the table. */
export type Line = { name: string; before: string; now: string };

export function line(name: string, [before, now]: Pair<number>, show: (n: number) => string): Line {
  return { name, before: show(before), now: show(now) };
}

export async function forBoth<A, B>(
  [before, now]: Pair<A>,
  work: (one: A) => Promise<B> | B,
): Promise<Pair<B>> {
  return [await work(before), await work(now)];
}

export function pairOf<T>([before, now]: readonly T[]): Pair<T> {
  if (before === undefined || now === undefined) throw new Error('both sides are measured');
  return [before, now];
}

type Closing<T> = { open: (side: Side) => Promise<T>; close: (one: T) => Promise<void> };

/** Opens something of each side for the work, and closes it whatever happens. */
export async function withBoth<T, R>(
  [before, now]: Pair<Side>,
  { open, close }: Closing<T>,
  work: (both: Pair<T>) => Promise<R>,
): Promise<R> {
  const first = await open(before);
  try {
    const second = await open(now);
    try {
      return await work([first, second]);
    } finally {
      await close(second);
    }
  } finally {
    await close(first);
  }
}

/** Each side stores the sentences in its own format, for all parts that begin with them. */
export async function fillSides(sides: Pair<Side>, sentences: readonly Sentence[]): Promise<void> {
  await forBoth(sides, async ({ cli, folder }) => {
    mkdirSync(join(folder, filled), { recursive: true });
    await fillMneme(join(folder, filled), sentences, cli);
  });
}

const filled = 'filled';

/** A copy of what `fillSides` stored, under a name of its own. */
export function copyOfFilled({ folder }: Side, name: string): string {
  cpSync(join(folder, filled), join(folder, name), { recursive: true });
  return join(folder, name);
}
