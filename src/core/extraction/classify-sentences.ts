import { functionWords } from '../language/function-words.ts';
import { foldWord, wordsOf } from '../language/words.ts';
import { isProgramOutput } from './code-and-quotes.ts';
import { correctsDate } from './corrections.ts';
import { isSmallTalk } from './languages/all-languages.ts';
import type { LanguageRules } from './languages/rules.ts';
import { capitalized, hasEnoughWords } from './sentences.ts';

/** A request to forget, and whether a sentence is surely one. */
export type ForgetRequest = 'forget' | 'perhaps forget';

/** A sentence, without a greeting before it, and why it states nothing; null where it does. */
export type ClassifiedSentence = {
  sentence: string;
  said: string;
  reason: string | null;
  isReminder?: true;
  /** It stood beside a task, which was cut off. */
  isAsked?: true;
  /** It asks to forget something. */
  forget?: ForgetRequest;
};

export function classifySentence(
  said: string,
  rules: readonly LanguageRules[],
  readForgetting: (sentence: string) => ForgetRequest | null,
): ClassifiedSentence {
  // An apology at its beginning shows that it corrects a date.
  const text = correctsDate(said)
    ? said.trim()
    : rules.reduce(stripOpening, said.replace(leadingMarks, '')).trim();
  const reminded = remindedOf(text, rules);
  // A reminder is a fact in any form.
  if (reminded !== null) {
    return { sentence: reminded, said: said.trim(), reason: null, isReminder: true };
  }
  const forget = readForgetting(text);
  if (forget !== null) return { sentence: text, said: said.trim(), reason: null, forget };
  return { sentence: text, said: said.trim(), reason: reasonToDrop(text, rules) };
}

/** What is left of a smiley or a bracket that ended the sentence before. */
const leadingMarks = /^(?:[\s)\]}:;,.!…]|\p{Extended_Pictographic}|\uFE0F|[-–—](?=\s))+/u;

/** What a sentence asks to remember; null if it does not, or asks what is remembered. */
function remindedOf(text: string, rules: readonly LanguageRules[]): string | null {
  for (const { reminder, reminderEnd } of rules) {
    const match = reminder.exec(text);
    if (match === null) continue;
    const rest = text.slice(match[0].length);
    const fact = reminderEnd === undefined ? rest : rest.replace(reminderEnd, '');
    if (rules.some(({ question }) => question?.test(fact))) continue;
    return fact.replace(/\s?[?？]$/, '.');
  }
  return null;
}

/** Whether a sentence only announces what is to be remembered, or says so of what came before. */
function isBareReminder(text: string, rules: readonly LanguageRules[]): boolean {
  const bare = text.replace(/(?<![\s.!?:：。！？])[\s.!?:：。！？]+$/u, '');
  return bare.length <= bareMaxChars && rules.some(({ reminder }) => reminder.test(`${bare}: x x`));
}

const bareMaxChars = 60;

/**
 * "Remember this." and the sentences after it, or, at the end, the one before it: these are facts
 * in any form.
 */
export function applyBareReminders(
  sentences: readonly ClassifiedSentence[],
  rules: readonly LanguageRules[],
): ClassifiedSentence[] {
  const bare = sentences.map(
    ({ sentence, isReminder }) => !isReminder && isBareReminder(sentence, rules),
  );
  if (!bare.includes(true)) return [...sentences];
  const first = bare.indexOf(true);
  return sentences.map((one, at) => {
    if (bare[at]) return { ...one, reason: 'request' };
    const isMeant = first === sentences.length - 1 ? at === first - 1 : at > first;
    const isFact = one.reason === null || (one.reason === 'fragment' && at > first);
    return isFact && isMeant ? { ...one, reason: null, isReminder: true as const } : one;
  });
}

function stripOpening(sentence: string, { opening, joint }: LanguageRules): string {
  const rest = sentence.replace(opening, '');
  const stripped = joint === undefined ? rest : rest.replace(joint, '');
  return stripped === sentence ? sentence : capitalized(stripped);
}

function reasonToDrop(sentence: string, rules: readonly LanguageRules[]): string | null {
  const words = sentence.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0 || isSmallTalk(sentence)) return 'small talk';
  if (isProgramOutput(sentence)) return 'code';
  const asks = rules.some(({ question }) => question?.test(sentence));
  if (asks || /[?？؟]["'”’)\]]*$/.test(sentence)) return 'question';
  if (rules.some(({ request }) => request.test(sentence))) return 'request';
  if (hasEnoughWords(sentence)) return null;
  return rules.some((one) => one.terse?.(sentence) || fillsSlot(sentence, one)) ? null : 'fragment';
}

export function fillsSlot(sentence: string, { slots }: LanguageRules): boolean {
  return slots.some(({ pattern }) => pattern.test(sentence));
}

/** Questions between people may hold facts: "Did Oscar like the frisbee?" */
export function isInformativeQuestion({ sentence, reason }: ClassifiedSentence): boolean {
  if (reason !== 'question' && reason !== 'request') return false;
  const distinctive = wordsOf(sentence).filter(
    (word) => word.length >= distinctiveMinChars && !functionWords.has(foldWord(word)),
  );
  return distinctive.length >= questionMinTerms || spacelessClause.test(sentence);
}

/** "How are your pets?" has one. */
const questionMinTerms = 2;
const distinctiveMinChars = 4;

/** The equivalent of two words in scripts without spaces. */
const spacelessClause = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{8}/u;
