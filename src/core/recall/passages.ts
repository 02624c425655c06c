import type { Candidate, Term } from '../ports.ts';
import { offsetsOf } from './words.ts';

/**
 * A part of a memory that is about as long as a turn of a conversation. A memory is as good as its
 * best passage: so that a long answer does not win by holding a bit of everything, and no weight
 * has to know how long the messages of a store are.
 */
export type Passage = {
  /** Characters of its index terms. */
  length: number;
  /** How often it holds each feature of the question. */
  counts: number[];
};

/**
 * About 50 words, the length of two spoken turns. 30 to 60 words find nearly the same, 100 less in
 * long answers, and uncut ones are found much worse.
 */
const passageChars = 250;

/** Room for a function word or two between the words of a pair: "move to the city". */
const pairGapChars = 10;

/** The terms, and the pairs of a term and the next. */
export function featureCount(terms: readonly Term[]): number {
  return terms.length + Math.max(0, terms.length - 1);
}

/** The counts are those of the terms, then of the pairs of a term and the next. */
export function passagesOf({ terms: text }: Candidate, terms: readonly Term[]): Passage[] {
  const parts = Math.max(1, Math.round(text.length / passageChars));
  const length = Math.max(1, Math.ceil(text.length / parts));
  const passages = Array.from({ length: parts }, () => {
    return { length, counts: new Array<number>(featureCount(terms)).fill(0) };
  });
  const found = terms.map((term) => placesOf(term, text));
  const count = (offset: number, feature: number) => {
    const counts = passages[Math.floor(offset / length)]?.counts;
    if (counts !== undefined) counts[feature] = (counts[feature] ?? 0) + 1;
  };

  found.forEach((offsets, index) => {
    const next = found[index + 1] ?? [];
    for (const { start, end } of offsets) {
      count(start, index);
      const reach = end + pairGapChars;
      const isPair = next.some((other) => other.start > start && other.start <= reach);
      if (isPair) count(start, terms.length + index);
    }
  });
  return passages;
}

type Place = { form: string; start: number; end: number };

/**
 * Where the word stands. A text that may be in several languages has a term of each for one word,
 * side by side: what follows another form of the word at once is the same one.
 */
function placesOf(term: Term, text: string): Place[] {
  const places = term.flatMap((form) => {
    return offsetsOf(form, text).map((start) => ({ form, start, end: start + form.length }));
  });
  if (term.length === 1) return places;
  const ordered = places.sort((one, other) => one.start - other.start);
  return ordered.filter(({ form, start }, index) => {
    const before = ordered[index - 1];
    return before === undefined || before.form === form || start !== before.end + 1;
  });
}
