import type { FoundAlias } from '../language/aliases.ts';
import { questionTermsOf } from '../language/question-terms.ts';
import type { QueryLanguages } from '../language/resolve-languages.ts';
import type { Instant, QueryTerm } from '../ports/index.ts';
import { type AnswerTypes, detectAnswerTypes } from './answer-type.ts';
import { type AskedRole, detectAskedRole } from './asked-role.ts';
import { parseQueryDates, type QueryDate } from './query-dates.ts';

/** What a query asks for, as far as words tell. */
export type ParsedQuery = {
  /** The words that say what it is about, in order. */
  terms: readonly QueryTerm[];
  dates: readonly QueryDate[];
  role: AskedRole;
  answerTypes: AnswerTypes;
};

/** Reads a query; `now` is what "yesterday" is counted from. */
export function parseQuery(
  query: string,
  now: Instant,
  { reading, aliases }: { reading: QueryLanguages; aliases: readonly FoundAlias[] },
): ParsedQuery {
  return {
    terms: questionTermsOf(query, reading, aliases),
    dates: parseQueryDates(query, now, reading.sure),
    role: detectAskedRole(query),
    answerTypes: detectAnswerTypes(query),
  };
}

/** The question without what is read between its words: dates, and how an answer would be put. */
export function keywordsOnly(question: ParsedQuery): ParsedQuery {
  return { ...question, dates: [], answerTypes: [] };
}

/** True where no word or date of the question says what it is about: all may answer it. */
export function isAboutNothing({ terms, dates }: ParsedQuery): boolean {
  return terms.length === 0 && dates.length === 0;
}
