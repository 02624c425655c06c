import { queryTermsOf } from '../language/analyze.ts';
import type { QueryLanguages } from '../language/resolve-languages.ts';
import type { Instant, QueryTerm } from '../ports/index.ts';
import { type AnswerTypes, detectAnswerTypes } from './answer-type.ts';
import { parseQueryDates, type QueryDate } from './query-dates.ts';

/** The two sides of a conversation with an assistant. */
export type AskedRole = 'user' | 'assistant';

/** What a query asks for, as far as words tell. */
export type ParsedQuery = {
  /** The words that say what it is about, in order. */
  terms: readonly QueryTerm[];
  dates: readonly QueryDate[];
  role: AskedRole;
  answerTypes: AnswerTypes;
};

/** Reads a query; `now` is what "yesterday" is counted from. */
export function parseQuery(query: string, now: Instant, reading: QueryLanguages): ParsedQuery {
  return {
    terms: queryTermsOf(query, reading),
    dates: parseQueryDates(query, now, reading.sure),
    role: detectAskedRole(query),
    answerTypes: detectAnswerTypes(query),
  };
}

/**
 * Whose words a question is about when it names nobody: "what did you recommend" asks for the
 * assistant's, anything else for what the user told.
 */
function detectAskedRole(query: string): AskedRole {
  return assistantSaid.test(query) ? 'assistant' : 'user';
}

const sayingVerbs =
  '(?:say|said|tell|told|give|gave|recommend(?:ed)?|suggest(?:ed)?|advised?|explain(?:ed)?|' +
  'mention(?:ed)?|proposed?|provided?|outlined?|shared?)';
const assistantSaid = new RegExp(
  `\\b(?:did|had|have|were) you\\b|\\byou ${sayingVerbs}\\b|` +
    '\\byour (?:recommendation|suggestion|advice|answer|response|explanation)s?\\b',
  'i',
);

/** The question without what is read between its words: dates, and how an answer would be put. */
export function keywordsOnly(question: ParsedQuery): ParsedQuery {
  return { ...question, dates: [], answerTypes: [] };
}
