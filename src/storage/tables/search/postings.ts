import { setImmediate as turnOfOthers } from 'node:timers/promises';
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
  const found = await at.dialect.textIndex.search(at, matches, postingsMax);
  const lists = terms.map((term, index): PostingList => {
    const positions = found[index] ?? [];
    return { term, positions, count: estimateDocumentFrequency(positions) };
  });
  const isWhole = lists.every(isComplete);
  const filled = isWhole ? lists : await addCooccurrences(at, lists, scope);
  const postings = filled.map(({ term, positions, count }) => {
    return { term, weight: inverseDocumentFrequency({ size, count }), positions };
  });
  return { postings, isWhole };
}

/** The weight of a term that `count` of `size` memories contain. */
export function inverseDocumentFrequency({ size, count }: { size: number; count: number }): number {
  return Math.log(1 + Math.max(0, size - count + 0.5) / (count + 0.5));
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
  const found = await at.dialect.textIndex.search(at, matches, postingsMax);
  const added = new Map(cut.map(({ term }, index) => [term, found[index] ?? []]));
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
        yield* groups.get(weight)?.sort((one, other) => other - one) ?? [];
      }
    },
  };
}

/** There are few possible sums, so the positions need no full sort. */
function groupByWeight(postings: readonly Postings[]): Map<number, number[]> {
  const weights = new Map<number, number>();
  for (const { weight, positions } of postings) {
    for (const position of positions) {
      weights.set(position, (weights.get(position) ?? 0) + weight);
    }
  }
  const groups = new Map<number, number[]>();
  for (const [position, weight] of weights) {
    const group = groups.get(weight);
    if (group === undefined) groups.set(weight, [position]);
    else group.push(position);
  }
  return groups;
}

/**
 * By BM25, most likely first, with the weights by which core ranks later, so that long texts do not
 * win by containing a bit of everything. This order decides which are read with context.
 */
export async function rankByBm25(
  found: readonly Candidate[],
  postings: readonly Postings[],
  weights: Bm25Weights,
): Promise<Candidate[]> {
  const length = found.reduce((sum, { terms }) => sum + terms.length, 0);
  const average = length / Math.max(1, found.length) || 1;
  const score = createBm25(postings, { ...weights, average });
  const rest = createTurns();
  const scored: { memory: Candidate; score: number }[] = [];
  for (const memory of found) {
    await rest();
    scored.push({ memory, score: score(memory) });
  }
  return scored.sort((one, other) => other.score - one.score).map(({ memory }) => memory);
}

function createBm25(
  postings: readonly Postings[],
  { k1, b, speakerFrequency, average }: Bm25Weights & { average: number },
): (memory: Candidate) => number {
  return ({ terms, speaker_terms }) => {
    const room = k1 * (1 - b + b * (terms.length / average));
    let score = 0;
    for (const { term, weight } of postings) {
      const spoken = speakerFrequency * termFrequency(speaker_terms, term);
      const count = termFrequency(terms, term) + spoken;
      score += (weight * count) / (count + room);
    }
    return score;
  };
}

function termFrequency(terms: string, term: QueryTerm): number {
  if (terms === '') return 0;
  let most = 0;
  for (const form of term) most = Math.max(most, formFrequency(terms, form));
  return most;
}

function formFrequency(terms: string, form: string): number {
  if (form === '') return 0;
  let count = 0;
  for (let at = wholeWordOffset(terms, form, 0); at >= 0; ) {
    count += 1;
    at = wholeWordOffset(terms, form, at + form.length);
  }
  return count;
}
