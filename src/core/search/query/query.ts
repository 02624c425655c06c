import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { FoundAlias } from '../../language/aliases.ts';
import type { Language } from '../../language/languages.ts';
import { questionTermsOf } from '../../language/question-terms.ts';
import type { QueryLanguages } from '../../language/resolve-languages.ts';
import type { QueryTerm } from '../../ports/index.ts';
import { type AnswerTypes, detectAnswerTypes } from './answer-type.ts';
import { type AskedRole, detectAskedRole } from './asked-role.ts';
import { type AskedDays, onlyDaysOf } from './days/asked-of-days.ts';
import {
  type DatesAsked,
  type OtherDays,
  parseQueryDates,
  type QueryDate,
} from './days/query-dates.ts';

/** What the words of a query say that it asks for. */
export type ParsedQuery = {
  /** The words that say what it is about, in order. */
  terms: readonly QueryTerm[];
  dates: readonly QueryDate[];
  /** The date, if the query asks for nothing else: "what did I do yesterday". */
  days: AskedDays | null;
  role: AskedRole;
  answerTypes: AnswerTypes;
};

/** What reading a question needs; "yesterday" is counted from `now`, in the time zone. */
type QueryReading = StrictOmit<DatesAsked, 'sure'> & {
  reading: QueryLanguages;
  aliases: readonly FoundAlias[];
};

export function parseQuery(
  query: string,
  { reading, aliases, ...today }: QueryReading,
): ParsedQuery {
  const dateContext = { ...today, sure: reading.sure };
  const { dates, remainder } = parseQueryDates(query, dateContext);
  return {
    terms: questionTermsOf(query, reading, aliases),
    dates,
    days: onlyDaysOf({ dates, remainder }, dateContext),
    role: detectAskedRole(query),
    answerTypes: detectAnswerTypes(query),
  };
}

/** The question by its words alone: without its dates and without the likely form of an answer. */
export function keywordsOnly(question: ParsedQuery): ParsedQuery {
  return { ...question, dates: [], days: null, answerTypes: [] };
}

/** True if no word or date says what the question is about: any memory may answer it. */
export function isAboutNothing({ terms, dates }: ParsedQuery): boolean {
  return terms.length === 0 && dates.length === 0;
}

/** The reader of days in other languages, which most questions do not need. */
export async function otherDaysFor(sure: readonly Language[]): Promise<OtherDays | null> {
  if (sure.length > 0 && sure.every((one) => one === 'english')) return null;
  const { otherDays } = await import('./days/other-days.ts');
  return otherDays;
}
