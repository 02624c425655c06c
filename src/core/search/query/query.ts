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

/** What a query asks for, as far as words tell. */
export type ParsedQuery = {
  /** The words that say what it is about, in order. */
  terms: readonly QueryTerm[];
  dates: readonly QueryDate[];
  /** The date, where it asks for nothing else: "what did I do yesterday". */
  days: AskedDays | null;
  role: AskedRole;
  answerTypes: AnswerTypes;
};

/** What a question is read with; "yesterday" is counted from `now`, in the time zone. */
type QueryReading = StrictOmit<DatesAsked, 'sure'> & {
  reading: QueryLanguages;
  aliases: readonly FoundAlias[];
};

export function parseQuery(
  query: string,
  { reading, aliases, ...today }: QueryReading,
): ParsedQuery {
  const asked = { ...today, sure: reading.sure };
  const { dates, rest } = parseQueryDates(query, asked);
  return {
    terms: questionTermsOf(query, reading, aliases),
    dates,
    days: onlyDaysOf({ dates, rest }, asked),
    role: detectAskedRole(query),
    answerTypes: detectAnswerTypes(query),
  };
}

/** The question without what is read between its words: dates, and how an answer would be put. */
export function keywordsOnly(question: ParsedQuery): ParsedQuery {
  return { ...question, dates: [], days: null, answerTypes: [] };
}

/** True where no word or date of the question says what it is about: all may answer it. */
export function isAboutNothing({ terms, dates }: ParsedQuery): boolean {
  return terms.length === 0 && dates.length === 0;
}

/** The reader of days in other languages, which most questions do not need. */
export async function otherDaysFor(sure: readonly Language[]): Promise<OtherDays | null> {
  if (sure.length > 0 && sure.every((one) => one === 'english')) return null;
  const { otherDays } = await import('./days/other-days.ts');
  return otherDays;
}
