import { isQuotedMaterial } from './code-and-quotes.ts';
import type { ForgetRequest } from './forgetting/forget-requests.ts';
import { isHypothetical } from './hypotheticals.ts';
import type { LanguageRules } from './languages/rules.ts';
import { isSmallTalk } from './rule-languages.ts';

/** A sentence, without a greeting before it, and why it states nothing; null where it does. */
export type ClassifiedSentence = {
  sentence: string;
  said: string;
  reason: string | null;
  isReminder?: true;
  /** It asks to forget something. */
  forget?: ForgetRequest;
};

export function classifySentence(
  said: string,
  rules: readonly LanguageRules[],
  readForgetting: (sentence: string) => ForgetRequest | null,
): ClassifiedSentence {
  const text = rules.reduce(stripOpening, said).trim();
  for (const { reminder } of rules) {
    const match = reminder.exec(text);
    if (match === null) continue;
    // A reminder is a fact in any form.
    const sentence = text.slice(match[0].length).replace(/[?？]$/, '.');
    return { sentence, said: said.trim(), reason: null, isReminder: true };
  }
  const forget = readForgetting(text);
  if (forget !== null) return { sentence: text, said: said.trim(), reason: null, forget };
  return { sentence: text, said: said.trim(), reason: reasonToDrop(text, rules) };
}

/** Quoted text to work on and hypothetical sentences are not statements. */
export function dropHypotheticalsAndQuotes(
  read: ClassifiedSentence[],
  isAmongPeople: boolean,
): ClassifiedSentence[] {
  if (isAmongPeople) return read;
  return read.map((one, index) => {
    if (one.reason !== null || one.isReminder || one.forget) return one;
    if (isHypothetical(one.sentence)) return { ...one, reason: 'supposed' };
    const { reason = null, said = '' } = read[index - 1] ?? {};
    const isAsked = reason === 'question' || reason === 'request';
    return isAsked && isQuotedMaterial(one.said, said) ? { ...one, reason: 'quotation' } : one;
  });
}

function stripOpening(sentence: string, { opening, joint }: LanguageRules): string {
  const rest = sentence.replace(opening, '');
  const stripped = joint === undefined ? rest : rest.replace(joint, '');
  if (stripped === sentence) return sentence;
  return `${stripped.charAt(0).toUpperCase()}${stripped.slice(1)}`;
}

function reasonToDrop(sentence: string, rules: readonly LanguageRules[]): string | null {
  const words = sentence.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0 || isSmallTalk(sentence)) return 'small talk';
  const asks = rules.some(({ question }) => question?.test(sentence));
  if (asks || /[?？؟]["'”’)\]]*$/.test(sentence)) return 'question';
  if (rules.some(({ request }) => request.test(sentence))) return 'request';
  // "I'm vegan" is three words; scripts without spaces put a whole clause into one "word".
  if (words.length >= factMinWords || /[\u0250-\u{10FFFF}]{4,}/u.test(sentence)) return null;
  return rules.some((one) => one.terse?.(sentence) || fillsSlot(sentence, one)) ? null : 'fragment';
}

const factMinWords = 3;

export function fillsSlot(sentence: string, { slots }: LanguageRules): boolean {
  return slots.some(({ pattern }) => pattern.test(sentence));
}
