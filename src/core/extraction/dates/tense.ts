import type { MemoryType } from '../../../contract/schemas/memory.ts';
import { anyLanguage } from '../languages/all-languages.ts';
import { anyWord, type LanguageRules } from '../languages/rules.ts';

export type Tense = 'past' | 'future' | null;

/** Whether what a sentence tells is past or to come; null if the words do not say. */
export function tenseOf(sentence: string, type: MemoryType, rules: LanguageRules): Tense {
  const clause = datedClauseOf(sentence, rules);
  if (type === 'plan' || rules.dates.arranged.test(clause ?? sentence)) return 'future';
  // "I have saved enough, and might go in May": only the clause with the date sets the tense.
  const isToCome = clause !== null && rules.future.test(clause) && !rules.past.test(clause);
  if (isToCome) return 'future';
  if (clause !== null && isPresent(clause, rules)) return null;
  if (type === 'event' || rules.past.test(sentence)) return 'past';
  return rules.future.test(sentence) ? 'future' : null;
}

/** "We bought tickets, it is on 18 April". */
function isPresent(clause: string, { past, calendar }: LanguageRules): boolean {
  return !past.test(clause) && anyWord(calendar.present).test(clause);
}

/** The only one of several clauses that names a date; null if none or several do. */
function datedClauseOf(sentence: string, { dated }: LanguageRules): string | null {
  const clauses = sentence.split(clauseEndPattern);
  const [clause, ...others] = clauses.filter((one) => dated.test(one.replace(numberPattern, '')));
  return clause === undefined || others.length > 0 || clauses.length === 1 ? null : clause;
}

/** A number alone is not a date. */
const numberPattern = /\d+/g;

const joints = anyLanguage(({ calendar }) => calendar.joints);
const clauseEndPattern = new RegExp(`(?<!\\d)[,;:.!]\\s+|\\s(?:${joints})\\s`, 'iu');
