import type { MemoryType } from '../../../contract/schemas/memory.ts';
import type { LanguageRules } from '../languages/rules.ts';

export type Tense = 'past' | 'future' | null;

/** Whether what a sentence tells is past or to come; null if the words do not say. */
export function tenseOf(sentence: string, type: MemoryType, rules: LanguageRules): Tense {
  const own = tenseOfDated(sentence, rules);
  if (type === 'plan') return 'future';
  if (own !== null) return own;
  if (type === 'event' || rules.past.test(sentence)) return 'past';
  return rules.future.test(sentence) ? 'future' : null;
}

/** "I have saved enough, and might go in May": only the clause with the date sets the tense. */
function tenseOfDated(sentence: string, { past, future, dated }: LanguageRules) {
  const clauses = sentence.split(clauseEndPattern);
  const [clause, ...others] = clauses.filter((one) => dated.test(one.replace(numberPattern, '')));
  if (clause === undefined || others.length > 0 || clauses.length === 1) return null;
  return future.test(clause) && !past.test(clause) ? 'future' : null;
}

/** A number alone is not a date. */
const numberPattern = /\d+/g;

const clauseEndPattern =
  /(?<!\d)[,;.!]\s+|\s(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|и|а|но)\s/iu;
