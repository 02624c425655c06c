import { normalizeVector } from '../normalize-vector.ts';
import type { StaticTable } from './static-table.ts';

/**
 * The vector of a text, of length 1: the mean over the vectors of its word pieces (Model2Vec, after
 * Arora, Liang and Ma 2017). Null for a text of which the table knows too
 * few words, as of one in another language. Takes time in proportion to the
 * text: about 20 microseconds for a sentence.
 */
export function embedStatically(
  { dimension, read, rows, factors }: StaticTable,
  text: string,
): Float32Array | null {
  const { pieces, knownShare } = read(text);
  if (knownShare < knownShareMin) return null;
  const sum = new Float32Array(dimension);
  for (const piece of pieces) {
    const factor = factors[piece] ?? 0;
    const start = piece * dimension;
    for (let at = 0; at < dimension; at += 1) {
      sum[at] = (sum[at] ?? 0) + factor * (rows[start + at] ?? 0);
    }
  }
  return sum.every((value) => value === 0) ? null : normalizeVector(sum);
}

/** 99 of 100 texts in English have more, and one in five in German (test/search/paraphrase). */
const knownShareMin = 0.5;
