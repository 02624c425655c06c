import { type InTurns, mapInTurns } from '../../turns.ts';
import { inverseDocumentFrequency, lengthNorm, termScore } from '../bm25.ts';
import type { Bm25Weights, Candidate, QueryTerm } from '../ports/index.ts';

/**
 * The candidates with at least one of the terms, by BM25, the most likely first; of equals the
 * newer. A term counts as often as its most frequent form; see {@link Bm25Weights} for who spoke.
 */
export function* rankByTerms(
  candidates: readonly Candidate[],
  { terms, bm25 }: { terms: readonly QueryTerm[]; bm25: Bm25Weights },
): InTurns<Candidate[]> {
  const counted = yield* mapInTurns(candidates, (candidate) => {
    const counts = countTerms(candidate, terms, bm25);
    return counts === null ? [] : [{ candidate, counts }];
  });
  const matches = counted.flat();
  const weights = terms.map((_, index) => {
    const count = matches.filter(({ counts }) => (counts[index] ?? 0) > 0).length;
    return inverseDocumentFrequency(count, candidates.length);
  });
  const length = matches.reduce((sum, { candidate }) => sum + candidate.terms.length, 0);
  const average = length / matches.length || 1;
  const scored = yield* mapInTurns(matches, ({ candidate, counts }) => {
    const room = bm25.k1 * lengthNorm(candidate.terms.length, average, bm25.b);
    const score = counts.reduce(
      (sum, count, index) => sum + termScore(weights[index] ?? 0, count, room),
      0,
    );
    return { candidate, score };
  });
  scored.sort((a, b) => b.score - a.score || b.candidate.position - a.candidate.position);
  return scored.map(({ candidate }) => candidate);
}

/** How often it has each of the terms; null if it has none, as most do. */
function countTerms(
  { terms: said, speaker_terms: speaker }: Candidate,
  terms: readonly QueryTerm[],
  { speakerFrequency }: Bm25Weights,
): number[] | null {
  let hasSome = false;
  const counts = terms.map((term) => {
    const count = countMost(said, term) + speakerFrequency * countMost(speaker, term);
    if (count > 0) hasSome = true;
    return count;
  });
  return hasSome ? counts : null;
}

function countMost(text: string, term: QueryTerm): number {
  let highest = 0;
  for (const form of term) highest = Math.max(highest, countWord(text, form));
  return highest;
}

/** Without splitting the text, which takes several times as long. */
function countWord(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (isEdge(text, at - 1) && isEdge(text, at + word.length)) count += 1;
  }
  return count;
}

function isEdge(text: string, at: number): boolean {
  return at < 0 || at === text.length || text.charCodeAt(at) === space;
}

const space = 32;
