import { setImmediate } from 'node:timers/promises';

/**
 * For long work on the processor: what it returns is awaited between two parts, and lets requests
 * that wait have their turn once the work has held the event loop for some milliseconds. Short work
 * is done in one turn.
 */
export function createTurns(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMs) return;
    await nextTurn();
    began = performance.now();
  };
}

/** Long enough that turns cost little, and a small part of the 50 ms that nobody should wait. */
const turnMs = 10;

/** One after another, so that works that wait at the same time do not add up to one long turn. */
let lastTurn: Promise<void> = Promise.resolve();

function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** In parts of at most so many items, such as have room in a statement or in a turn. */
export function partsOf<Item>(items: Iterable<Item>, most: number): Item[][] {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / most) }, (_, part) =>
    all.slice(part * most, (part + 1) * most),
  );
}

type PartLimits<Item> = { most: number; size: number; sizeOf: (item: Item) => number };

/** In parts of at most so many items and such a size; a larger item is a part of its own. */
export function partsBySize<Item>(
  items: Iterable<Item>,
  { most, size, sizeOf }: PartLimits<Item>,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let taken = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (part.length === 0 || part.length === most || taken + own > size) {
      part = [];
      parts.push(part);
      taken = 0;
    }
    part.push(item);
    taken += own;
  }
  return parts;
}

/** Work on the processor that can stop after each of its parts. */
export type InTurns<Result> = Generator<undefined, Result>;

/** Carries it out, and requests that wait have their turn in between. */
export async function runInTurns<Result>(work: InTurns<Result>): Promise<Result> {
  let began = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - began < turnMs) continue;
    await nextTurn();
    began = performance.now();
  }
}

/** Carries it out without a stop. */
export function runAtOnce<Result>(work: InTurns<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The list of what is made of each item. */
export function* mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): InTurns<Result[]> {
  const mapped: Result[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    yield;
  }
  return mapped;
}
