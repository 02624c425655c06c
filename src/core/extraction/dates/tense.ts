import type { MemoryType } from '../../../contract/schemas/memory.ts';
import { anyLanguage } from '../languages/all-languages.ts';
import { anyWord, type LanguageRules } from '../languages/rules.ts';

export type Tense = 'past' | 'future' | null;

/** Whether what a sentence tells is past or to come; null if the words do not say. */
export function tenseOf(sentence: string, type: MemoryType, rules: LanguageRules): Tense {
  const clause = datedClauseOf(sentence, rules);
  const words = clause ?? sentence;
  if (type === 'plan' || rules.dates.arranged.test(words)) return 'future';
  if (rules.dates.calledOff.test(words)) return null;
  // "I have saved enough, and might go in May": only the clause with the date sets the tense.
  const isToCome = clause !== null && rules.future.test(clause) && !rules.past.test(clause);
  if (isToCome) return 'future';
  if (clause !== null && isPresent(clause, rules)) return null;
  if (type === 'event' || rules.past.test(sentence))
    return isAhead(words, rules) ? 'future' : 'past';
  return rules.future.test(sentence) ? 'future' : null;
}

/** "They told me that my surgery is on 8 May": the last verb before the date sets the tense. */
function isAhead(words: string, { past, dates }: LanguageRules): boolean {
  const verb = dates.ahead?.exec(words);
  return (
    verb !== undefined && verb !== null && !past.test(words.slice(verb.index + verb[0].length))
  );
}

/** "We bought tickets, it is on 18 April". */
function isPresent(clause: string, { past, calendar }: LanguageRules): boolean {
  return !past.test(clause) && anyWord(calendar.present).test(clause);
}

/**
 * The only one of several clauses that names a date, apart from the one since which something is
 * so; null if none or several do.
 */
function datedClauseOf(sentence: string, rules: LanguageRules): string | null {
  const clauses = sentence.split(clauseEndPattern);
  const dated = clauses.filter((one) => namesDate(one, rules));
  const [clause, ...others] = dated.length > 1 ? dated.filter((one) => !begun.test(one)) : dated;
  return clause === undefined || others.length > 0 || clauses.length === 1 ? null : clause;
}

/** Whether there are words of a date in a text; a number alone is not one. */
export function namesDate(text: string, { dated }: LanguageRules): boolean {
  return dated.test(text.replace(/\d+/g, ''));
}

const joints = anyLanguage(({ calendar }) => calendar.joints);
const abbreviations = anyLanguage(({ sentences }) => sentences.abbreviations);
const clauseEndPattern = new RegExp(
  `(?<!\\d)(?:[,;:!]|(?<!(?<!\\p{L})(?:${abbreviations}))\\.)\\s+|\\s(?:${joints})\\s`,
  'iu',
);
const begun = anyWord(anyLanguage(({ calendar }) => calendar.reading.since));
