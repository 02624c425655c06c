import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { inverseDocumentFrequency, lengthNorm, termScore } from '../../../core/bm25.ts';
import type { Bm25Weights, Candidate, QueryTerm } from '../../../core/ports/index.ts';
import { createTurns } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { TextIndexQuery } from '../../sql/dialect.ts';
import { wholeWordOffset } from './whole-word.ts';

/** The memories with a term, by position, and its weight: rare terms weigh more. */
export type Postings = { term: QueryTerm; weight: number; positions: readonly number[] };

type PostingsQuery = {
  scope: TextIndexQuery['scope'];
  terms: readonly QueryTerm[];
  /** How many memories the scope has. */
  size: number;
};

/**
 * The number of memories that are read for each term, newest first: 0.3 microseconds each. If no
 * term has more, as in the memories of a user, none is missed.
 */
const postingsMax = 5_000;

/**
 * For very common terms, older memories are read as well if they contain the question's rarest
 * terms and no more than this many contain those. If even the rarest term is more common, the
 * newest memories with it include every combination.
 */
const rareTermPostingsMax = 50_000;

/** `isWholeTerm`: no memory with one of the terms is missing. */
export async function readPostings(
  at: DbContext,
  query: PostingsQuery,
): Promise<{ postings: Postings[]; isWhole: boolean }> {
  const { scope, terms, size } = query;
  const matches = terms.map((term) => ({ scope, terms: [term] }));
  const positionLists = await at.dialect.textIndex.search(at, matches, postingsMax);
  const lists = terms.map((term, index): PostingList => {
    const positions = positionLists[index] ?? [];
    return { term, positions, count: estimateDocumentFrequency(positions) };
  });
  const isWhole = lists.every(isComplete);
  const filled = isWhole ? lists : await addCooccurrences(at, lists, scope);
  const postings = filled.map(({ term, positions, count }) => {
    return { term, weight: inverseDocumentFrequency(count, size), positions };
  });
  return { postings, isWhole };
}

type PostingList = { term: QueryTerm; positions: readonly number[]; count: number };

function isComplete({ positions }: PostingList): boolean {
  return positions.length < postingsMax;
}

/** How many memories contain the term; a cut list is extrapolated to older memories. */
function estimateDocumentFrequency(positions: readonly number[]): number {
  const [newest = 0] = positions;
  const oldest = positions.at(-1) ?? 0;
  if (positions.length < postingsMax) return positions.length;
  return Math.round((positions.length * newest) / (newest - oldest + 1));
}

async function addCooccurrences(
  at: DbContext,
  lists: PostingList[],
  scope: PostingsQuery['scope'],
): Promise<PostingList[]> {
  await turnOfOthers();
  const rarest = rarestOf(lists);
  const cut = lists.filter((list) => !isComplete(list));
  const matches = cut.map(({ term }) => {
    return { scope, terms: [term, rarest.filter((other) => other !== term).flat()] };
  });
  const positionLists = await at.dialect.textIndex.search(at, matches, postingsMax);
  const added = new Map(cut.map(({ term }, index) => [term, positionLists[index] ?? []]));
  return lists.map((list) => {
    const more = added.get(list.term) ?? [];
    return { ...list, positions: [...new Set([...list.positions, ...more])] };
  });
}

function rarestOf(lists: readonly PostingList[]): QueryTerm[] {
  const rarest: QueryTerm[] = [];
  let sum = 0;
  for (const { term, count } of lists.toSorted((one, other) => one.count - other.count)) {
    sum += count;
    if (sum > rareTermPostingsMax) break;
    rarest.push(term);
  }
  return rarest;
}

/** Positions by the total weight of their terms, newest first among equals. */
export function positionsByWeight(postings: readonly Postings[]): Iterable<number> {
  let groups: Map<number, number[]> | undefined;
  return {
    *[Symbol.iterator]() {
      groups ??= groupByWeight(postings);
      for (const weight of [...groups.keys()].sort((one, other) => other - one)) {
        yield* groups.get(weight) ?? [];
      }
    },
  };
}

/** There are few possible sums, so the positions need no full sort. */
function groupByWeight(postings: readonly Postings[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  forEachSum(postings, (position, weight) => {
    const group = groups.get(weight);
    if (group === undefined) groups.set(weight, [position]);
    else group.push(position);
  });
  return groups;
}

type TakeSum = (position: number, weight: number) => void;

/** Calls `take` with the sum of each position, the last position first. */
function forEachSum(postings: readonly Postings[], take: TakeSum): void {
  let [first, last, count] = [Number.POSITIVE_INFINITY, -1, 0];
  for (const { positions } of postings) {
    count += positions.length;
    for (const position of positions) {
      if (position < first) first = position;
      if (position > last) last = position;
    }
  }
  const width = last - first + 1;
  if (width > count * denseWidthMax) sumByPosition(postings, take);
  else sumInPlace(postings, { first, width, take });
}

/** An array with so many places for each number costs less than a map, and needs no order. */
const denseWidthMax = 16;

function sumInPlace(
  postings: readonly Postings[],
  { first, width, take }: { first: number; width: number; take: TakeSum },
): void {
  const sums = new Float64Array(Math.max(0, width)).fill(nothingHeld);
  for (const { weight, positions } of postings) {
    for (const position of positions) {
      const sum = sums[position - first] ?? nothingHeld;
      sums[position - first] = sum === nothingHeld ? weight : sum + weight;
    }
  }
  for (let at = width - 1; at >= 0; at -= 1) {
    const sum = sums[at] ?? nothingHeld;
    if (sum !== nothingHeld) take(first + at, sum);
  }
}

/** No weight is negative. */
const nothingHeld = -1;

function sumByPosition(postings: readonly Postings[], take: TakeSum): void {
  const sums = new Map<number, number>();
  for (const { weight, positions } of postings) {
    for (const position of positions) sums.set(position, (sums.get(position) ?? 0) + weight);
  }
  for (const [position, sum] of [...sums].sort(([one], [other]) => other - one))
    take(position, sum);
}

/**
 * By BM25, most likely first, with the weights by which core ranks later, so that long texts do not
 * win by containing a bit of everything. This order decides which are read with context.
 */
export async function rankByBm25(
  candidates: readonly Candidate[],
  postings: readonly Postings[],
  weights: Bm25Weights,
): Promise<Candidate[]> {
  const length = candidates.reduce((sum, { terms }) => sum + terms.length, 0);
  const average = length / Math.max(1, candidates.length) || 1;
  const { k1, b } = weights;
  const rooms = candidates.map(({ terms }) => k1 * lengthNorm(terms.length, average, b));
  const texts = joinTexts(candidates.map(({ terms }) => terms));
  const speakers = joinTexts(candidates.map(({ speaker_terms }) => speaker_terms));
  const scores = new Float64Array(candidates.length);
  const yieldTurn = createTurns();
  for (const { term, weight } of postings) {
    await yieldTurn();
    const held = termFrequencies(term, texts);
    const spoken = termFrequencies(term, speakers);
    for (let at = 0; at < scores.length; at += 1) {
      const count = (held[at] ?? 0) + weights.speakerFrequency * (spoken[at] ?? 0);
      scores[at] = (scores[at] ?? 0) + termScore(weight, count, rooms[at] ?? 0);
    }
  }
  const scored = candidates.map((memory, at) => ({ memory, score: scores[at] ?? 0 }));
  return scored.sort((one, other) => other.score - one.score).map(({ memory }) => memory);
}

/** Texts in a row: a word is looked for once in all of them, not once in each. */
type JoinedTexts = { text: string; starts: readonly number[] };

function joinTexts(texts: readonly string[]): JoinedTexts {
  let next = 0;
  const starts = texts.map((text) => {
    const start = next;
    next += text.length + 1;
    return start;
  });
  return { text: texts.join('\n'), starts };
}

/** How often each text holds the term, in the form that it holds most often. */
function termFrequencies(term: QueryTerm, texts: JoinedTexts): readonly number[] {
  const most = texts.starts.map(() => 0);
  for (const form of term) {
    const counts = term.length === 1 ? most : texts.starts.map(() => 0);
    countForm(form, texts, counts);
    if (counts === most) continue;
    for (let at = 0; at < counts.length; at += 1)
      most[at] = Math.max(most[at] ?? 0, counts[at] ?? 0);
  }
  return most;
}

function countForm(form: string, { text, starts }: JoinedTexts, counts: number[]): void {
  if (form === '') return;
  let holder = 0;
  for (let at = wholeWordOffset(text, form, 0); at >= 0; ) {
    while ((starts[holder + 1] ?? text.length) <= at) holder += 1;
    counts[holder] = (counts[holder] ?? 0) + 1;
    at = wholeWordOffset(text, form, at + form.length);
  }
}
