import type { Candidate, QueryTerm } from '../../ports/index.ts';

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
export function featureCount(terms: readonly QueryTerm[]): number {
  return terms.length + Math.max(0, terms.length - 1);
}

/** The counts are those of the terms, then of the pairs of a term and the next. */
export function splitPassages({ terms: text }: Candidate, terms: readonly QueryTerm[]): Passage[] {
  const parts = Math.max(1, Math.round(text.length / passageChars));
  const length = Math.max(1, Math.ceil(text.length / parts));
  const features = featureCount(terms);
  const passages: Passage[] = [];
  while (passages.length < parts) passages.push({ length, counts: zeros(features) });
  let before = noMatches;
  for (let feature = 0; feature < terms.length; feature += 1) {
    const places = matchTerm(terms[feature] ?? [], text);
    for (const place of places) addMatch(passages, place, feature);
    const pair = terms.length + feature - 1;
    for (const place of placesBefore(places, before)) addMatch(passages, place, pair);
    before = places;
  }
  return passages;
}

function zeros(length: number): number[] {
  const numbers: number[] = [];
  while (numbers.length < length) numbers.push(0);
  return numbers;
}

function addMatch(passages: readonly Passage[], { start }: TermMatch, feature: number): void {
  const passage = passages[Math.floor(start / (passages[0]?.length ?? 1))];
  if (passage !== undefined) passage.counts[feature] = (passage.counts[feature] ?? 0) + 1;
}

/** Those of `before` that one of `next` follows. Both stand in the order of the text. */
function placesBefore(
  next: readonly TermMatch[],
  before: readonly TermMatch[],
): readonly TermMatch[] {
  if (next.length === 0) return noMatches;
  let at = 0;
  return before.filter(({ start, end }) => {
    while ((next[at]?.start ?? Number.POSITIVE_INFINITY) <= start) at += 1;
    return (next[at]?.start ?? Number.POSITIVE_INFINITY) <= end + pairGapChars;
  });
}

type TermMatch = { form: string; start: number; end: number };

/** One for all: most memories hold few of the words of a question. */
const noMatches: readonly TermMatch[] = [];

/**
 * Where the word stands. A text that may be in several languages has a term of each for one word,
 * side by side: what follows another form of the word at once is the same one.
 */
function matchTerm(term: QueryTerm, text: string): readonly TermMatch[] {
  let places: TermMatch[] | undefined;
  for (const form of term) {
    if (form.includes(' ')) {
      places = [...(places ?? []), ...matchPhrase(form, text)];
      continue;
    }
    let start = termOffset(form, text, 0);
    while (start !== -1) {
      const end = start + form.length;
      places ??= [];
      places.push({ form, start, end });
      start = termOffset(form, text, end);
    }
  }
  if (places === undefined || places.length === 0) return noMatches;
  if (term.length === 1) return places;
  const ordered = places.sort((one, other) => one.start - other.start);
  return ordered.filter(({ form, start }, index) => {
    const last = ordered[index - 1];
    return last === undefined || last.form === form || start !== last.end + 1;
  });
}

function matchPhrase(form: string, text: string): TermMatch[] {
  const [first = '', ...rest] = form.split(' ');
  const places: TermMatch[] = [];
  let start = termOffset(first, text, 0);
  while (start !== -1) {
    const end = phraseEnd(rest, text, start + first.length);
    if (end !== -1) places.push({ form, start, end });
    start = termOffset(first, text, start + first.length);
  }
  return places;
}

/**
 * Where words end that follow each other from here on; -1 where they do not. The gap has room for
 * the term of a word in another language.
 */
function phraseEnd(words: readonly string[], text: string, from: number): number {
  let end = from;
  for (const word of words) {
    // Not further: a word that stands far away would be looked for at each place again.
    const near = text.slice(end, end + pairGapChars + word.length + 1);
    const start = termOffset(word, near, 0);
    if (start === -1 || start > pairGapChars) return -1;
    end += start + word.length;
  }
  return end;
}

/** True where the index terms have this one. */
export function holdsTerm(term: string, terms: string): boolean {
  return termOffset(term, terms, 0) !== -1;
}

/**
 * Where a term stands next among index terms separated by spaces; -1 where it does not. An empty
 * term stands nowhere: a search for the next one would never end.
 */
function termOffset(term: string, terms: string, from: number): number {
  if (term === '') return -1;
  let at = terms.indexOf(term, from);
  while (at !== -1 && !isWholeTerm(terms, at, at + term.length)) {
    at = terms.indexOf(term, at + term.length);
  }
  return at;
}

const space = 32;

function isWholeTerm(terms: string, start: number, end: number): boolean {
  const opens = start === 0 || terms.charCodeAt(start - 1) === space;
  return opens && (end === terms.length || terms.charCodeAt(end) === space);
}
