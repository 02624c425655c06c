import type { Candidate, QueryTerm } from '../../ports/index.ts';

/**
 * A part of a memory that is about as long as a turn of a conversation. A memory is as good as its
 * best passage: a long answer does not win by holding a bit of everything, and the weights need not
 * depend on the length of messages.
 */
export type Passage = {
  /** Characters of its index terms. */
  length: number;
  /** How often the passage holds each feature of the question. */
  counts: number[];
};

/**
 * About 50 words, the length of two spoken turns. 30 to 60 words find nearly the same, 100 less in
 * long answers, and uncut ones are found much worse.
 */
const passageChars = 250;

/** Room for a function word or two between the words of a pair: "move to the city". */
const pairGapChars = 10;

/** The number of terms, and of pairs of a term and the next one. */
export function featureCount(terms: readonly QueryTerm[]): number {
  return terms.length + Math.max(0, terms.length - 1);
}

/** Each passage counts the terms first, then the pairs of a term and the next one. */
export function splitPassages({ terms: text }: Candidate, terms: readonly QueryTerm[]): Passage[] {
  const parts = Math.max(1, Math.round(text.length / passageChars));
  const length = Math.max(1, Math.ceil(text.length / parts));
  const features = featureCount(terms);
  const passages: Passage[] = [];
  while (passages.length < parts) passages.push({ length, counts: zeros(features) });
  let before = noMatches;
  for (let feature = 0; feature < terms.length; feature += 1) {
    const matches = matchTerm(terms[feature] ?? [], text);
    for (const match of matches) addMatch(passages, match, feature);
    const pair = terms.length + feature - 1;
    for (const match of matchesBefore(matches, before)) addMatch(passages, match, pair);
    before = matches;
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

/** The matches of `before` that one of `next` follows. Both are in the order of the text. */
function matchesBefore(
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

/** One list for all: most memories hold few of the words of a question. */
const noMatches: readonly TermMatch[] = [];

/**
 * Finds the word in the text. A text that may be in several languages has one term for each of
 * them, side by side: a form directly after another form of the word is the same word.
 */
function matchTerm(term: QueryTerm, text: string): readonly TermMatch[] {
  let matches: TermMatch[] | undefined;
  for (const form of term) {
    if (form.includes(' ')) {
      matches = [...(matches ?? []), ...matchPhrase(form, text)];
      continue;
    }
    let start = termOffset(form, text, 0);
    while (start !== -1) {
      const end = start + form.length;
      matches ??= [];
      matches.push({ form, start, end });
      start = termOffset(form, text, end);
    }
  }
  if (matches === undefined || matches.length === 0) return noMatches;
  if (term.length === 1) return matches;
  const ordered = matches.sort((one, other) => one.start - other.start);
  return ordered.filter(({ form, start }, index) => {
    const last = ordered[index - 1];
    return last === undefined || last.form === form || start !== last.end + 1;
  });
}

function matchPhrase(form: string, text: string): TermMatch[] {
  const [first = '', ...otherWords] = form.split(' ');
  const matches: TermMatch[] = [];
  let start = termOffset(first, text, 0);
  while (start !== -1) {
    const end = phraseEnd(otherWords, text, start + first.length);
    if (end !== -1) matches.push({ form, start, end });
    start = termOffset(first, text, start + first.length);
  }
  return matches;
}

/**
 * The end of words that follow each other from here on; -1 if they do not. The gap has room for the
 * term of a word in another language.
 */
function phraseEnd(words: readonly string[], text: string, from: number): number {
  let end = from;
  for (const word of words) {
    // Only the text near by is searched: otherwise a word far away would be searched for again at
    // each match.
    const near = text.slice(end, end + pairGapChars + word.length + 1);
    const start = termOffset(word, near, 0);
    if (start === -1 || start > pairGapChars) return -1;
    end += start + word.length;
  }
  return end;
}

/** True if the index terms include this one. */
export function holdsTerm(term: string, terms: string): boolean {
  return termOffset(term, terms, 0) !== -1;
}

/**
 * The next offset of a term among index terms separated by spaces; -1 if there is none. An empty
 * term is never found: a search for the next one would not end.
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
