/**
 * How words are weighed: saturation, length normalisation, and how many times a word counts that
 * names who said it.
 */
export type Bm25Weights = { k1: number; b: number; speakerFrequency: number };

/**
 * What a term weighs that `count` of `size` texts hold. The formulas of this file are BM25 as in
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
