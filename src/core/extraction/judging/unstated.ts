import type { ClassifiedSentence } from '../classify-sentences.ts';
import { isQuotedMaterial } from '../code-and-quotes.ts';
import { isSmallTalk } from '../languages/all-languages.ts';
import type { LanguageRules } from '../languages/rules.ts';
import { hasEnoughWords } from '../sentences.ts';
import { clauseAsStatement, splitClauses } from './clauses.ts';
import { isHypothetical } from './hypotheticals.ts';
import { isOfSpeaker } from './references.ts';

/** Quoted text to work on, what is only supposed, and tasks are not statements. */
export function dropUnstated(
  sentences: ClassifiedSentence[],
  rules: readonly LanguageRules[],
): ClassifiedSentence[] {
  const quotedFrom = startOfQuotation(sentences, rules);
  return sentences.map((one, index) => {
    if (one.reason !== null || one.isReminder || one.forget) return one;
    if (index >= quotedFrom && isOfSpeaker(one.said)) return { ...one, reason: 'quotation' };
    if (isHypothetical(one.sentence)) return { ...one, reason: 'supposed' };
    // "You should never have stored my diagnosis" tells of what is to go.
    if (rules.some(({ unrecorded }) => unrecorded.blamed.test(one.sentence))) {
      return { ...one, reason: 'not to be remembered' };
    }
    const { reason = null, said = '' } = sentences[index - 1] ?? {};
    const isAsked = reason === 'question' || reason === 'request';
    if (isAsked && isQuotedMaterial(one.said, said)) return { ...one, reason: 'quotation' };
    return withoutTasks(one, rules);
  });
}

/**
 * Where somebody else speaks of themselves: in "Tom wrote: I quit my job. I live in Oslo now." and
 * "Proofread this letter: I am nine." each "I" from the colon on is not the user. Infinity if
 * nobody does.
 */
function startOfQuotation(
  sentences: readonly ClassifiedSentence[],
  rules: readonly LanguageRules[],
): number {
  const at = sentences.findIndex(({ said }) =>
    rules.some(({ asking }) => {
      const [announced] = asking.quoting.exec(said) ?? [];
      const quoted = announced === undefined ? '' : said.slice(announced.length);
      return quoted !== '' && (isOfSpeaker(quoted) || isSmallTalk(quoted));
    }),
  );
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}

/** "My phone is about to die, so give me the short version" states what stands before the task. */
function withoutTasks(
  one: ClassifiedSentence,
  rules: readonly LanguageRules[],
): ClassifiedSentence {
  const clauses = splitClauses(one.sentence);
  const stated = clauses.filter((clause) => !isTask(clauseAsStatement(clause), rules));
  if (stated.length === clauses.length) return one;
  const sentence = clauseAsStatement(stated.join(''));
  return hasEnoughWords(sentence)
    ? { ...one, sentence, isAsked: true }
    : { ...one, reason: 'request' };
}

/** Whether a clause asks for work that is over once it is done. */
export function isTask(clause: string, rules: readonly LanguageRules[]): boolean {
  return rules.some(({ asking }) => asking.task.test(clause) && !asking.lasting.test(clause));
}
