import type { Bm25Weights, Candidate, QueryTerm } from '../ports/index.ts';

/**
 * The candidates with at least one of the terms, by BM25, the most likely first; of equals the
 * newer. A term counts as often as its most frequent form; see {@link Bm25Weights} for who spoke.
 */
export function rankByTerms(
  candidates: readonly Candidate[],
  { terms, bm25 }: { terms: readonly QueryTerm[]; bm25: Bm25Weights },
): Candidate[] {
  const wanted = new Set(terms.flat());
  const read = candidates.map((candidate) => ({
    candidate,
    said: countWords(candidate.terms, wanted),
    speaker: countWords(candidate.speaker_terms, wanted),
  }));
  type Read = (typeof read)[number];
  const frequency = ({ said, speaker }: Read, term: QueryTerm) =>
    mostOf(said, term) + bm25.speakerFrequency * mostOf(speaker, term);
  const weighed = terms.map((term) => {
    const count = read.filter((one) => frequency(one, term) > 0).length;
    const weight = Math.log(1 + (read.length - count + 0.5) / (count + 0.5));
    return { term, weight };
  });
  const found = read.filter((one) => terms.some((term) => frequency(one, term) > 0));
  const length = found.reduce((sum, { candidate }) => sum + candidate.terms.length, 0);
  const average = length / found.length || 1;
  const scored = found.map((one) => {
    const room = bm25.k1 * (1 - bm25.b + bm25.b * (one.candidate.terms.length / average));
    const score = weighed.reduce((sum, { term, weight }) => {
      const count = frequency(one, term);
      return sum + (weight * count) / (count + room);
    }, 0);
    return { candidate: one.candidate, score };
  });
  scored.sort((a, b) => b.score - a.score || b.candidate.position - a.candidate.position);
  return scored.map(({ candidate }) => candidate);
}

function countWords(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.split(' ')) {
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function mostOf(counts: ReadonlyMap<string, number>, term: QueryTerm): number {
  return term.reduce((most, form) => Math.max(most, counts.get(form) ?? 0), 0);
}
