import type { Candidate } from '../ports.ts';

export type Ranked = { id: string; score: number };

/**
 * Orders candidates by BM25 and puts the score on a scale from 0 to 1 that means the same in a
 * small store and in a large one: the square root of the share of the query's weight that the
 * memory carries. One of three equally rare words found gives .58; a common word alone little.
 */
export function rank(
  candidates: readonly Candidate[],
  { terms, size }: { terms: readonly string[]; size: number },
): Ranked[] {
  const documents = candidates.map((memory) => countTerms(memory, terms));
  const averageLength = mean(documents.map(({ length }) => length));
  const weights = terms.map((_, index) => {
    const holders = documents.filter(({ counts }) => (counts[index] ?? 0) > 0).length;
    return inverseFrequency(holders, Math.max(size, candidates.length));
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0);

  return documents
    .map(({ memory, counts, length }) => {
      const stretch = 1 - b + b * (length / averageLength);
      const weight = counts.reduce(
        (sum, count, index) =>
          sum + ((weights[index] ?? 0) * count * (k1 + 1)) / (count + k1 * stretch),
        0,
      );
      return { memory, weight, score: rounded(Math.min(1, Math.sqrt(weight / whole))) };
    })
    .sort((one, other) => other.weight - one.weight || newestFirst(one.memory, other.memory))
    .map(({ memory, score }) => ({ id: memory.id, score }));
}

/**
 * Saturation and length normalisation: the values that did best on conversation turns, which are
 * short and of uneven length (test/bench/README.md). Web documents use 1.2 and .75.
 */
const k1 = 0.9;
const b = 0.4;

/** A question that names a speaker is mostly about what that speaker said. */
const speakerWeight = 1.5;

type Counted = { memory: Candidate; counts: number[]; length: number };

function countTerms(memory: Candidate, terms: readonly string[]): Counted {
  const words = memory.terms.split(' ');
  const speaker = new Set(memory.speaker_terms.split(' '));
  const found = new Map<string, number>(terms.map((term) => [term, 0]));
  for (const word of words) {
    const count = found.get(word);
    if (count !== undefined) found.set(word, count + 1);
  }
  const counts = terms.map(
    (term) => (found.get(term) ?? 0) + (speaker.has(term) ? speakerWeight : 0),
  );
  return { memory, counts, length: words.length };
}

/** Four decimals tell hits apart; what comes after them is noise of the arithmetic. */
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** Robertson's idf, with 1 added inside the logarithm so that no term counts against a match. */
function inverseFrequency(holders: number, size: number): number {
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

function newestFirst(one: Candidate, other: Candidate): number {
  return other.position - one.position;
}
