/** See `bm25`. */
export type Bm25Weights = { k1: number; b: number; speakerFrequency: number };

/**
 * The weight of a term that is in `count` of `size` texts. The formulas of this file are BM25 as in
 * Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with 1
 * added inside the logarithm so that no term counts against a match. A count may be an estimate
 * above the size.
 */
export function inverseDocumentFrequency(count: number, size: number): number {
  return Math.log(1 + Math.max(0, size - count + 0.5) / (count + 0.5));
}

/** By how much a text dilutes its words: 1 at average length, more in longer texts. */
export function lengthNorm(length: number, average: number, b: number): number {
  return 1 - b + b * (length / average);
}

/** The score that a term gives a text which holds it `count` times; `room` is k1 × lengthNorm. */
export function termScore(weight: number, count: number, room: number): number {
  return (weight * count) / (count + room);
}

/**
 * The weights of BM25, in the ranking (search/rank/rank.ts) and where storage proposes candidates.
 * `k1` (saturation) and `b` (length normalization) have the values that did best on turns of
 * conversations, which are short (test/bench/README.md); .6 to 1.2 and .4 to .6 find the same
 * within half a point. `speakerFrequency` is how many times the name of a speaker counts: a
 * question that names one is mostly about what that speaker said.
 */
export const bm25 = { k1: 0.9, b: 0.5, speakerFrequency: 1.5 };
