import { german } from './de/rules.ts';
import { english } from './en/rules.ts';
import { spanish } from './es/rules.ts';
import { french } from './fr/rules.ts';
import { italian } from './it/rules.ts';
import { japanese } from './ja/rules.ts';
import { portuguese } from './pt/rules.ts';
import { russian } from './ru/rules.ts';
import type { LanguageRules, SentenceWords } from './rules.ts';
import { chinese } from './zh/rules.ts';

const rulesByLanguage = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  ru: russian,
  ja: japanese,
  zh: chinese,
} satisfies Record<string, LanguageRules>;

/** A language with extraction rules, by its ISO 639-1 code. */
export type RuleLanguage = keyof typeof rulesByLanguage;

export function rulesOf(language: RuleLanguage): LanguageRules {
  return rulesByLanguage[language];
}

/** The rules for a message that follows one of the assistant; `answered` is null without one. */
export function rulesBeside(
  languages: readonly RuleLanguage[],
  answered: string | null,
): LanguageRules[] {
  const rules = languages.map(rulesOf);
  // "Vegan." may be which of two dishes it is to be.
  const isAsked = answered !== null && /[?？]/.test(answered.slice(-questionChars));
  return isAsked ? rules.map(({ terse: _, ...others }) => others) : rules;
}

/** A question stands near the end of what it is asked with. */
const questionChars = 300;

const latinLanguages = (['en', 'de', 'fr', 'es', 'it', 'pt'] as const).map((language) => ({
  language,
  words: new Set(rulesByLanguage[language].words.split(' ')),
}));

/**
 * The languages that a text may be in: by its script, and for Latin script by frequent words. Short
 * texts may be in several; empty if nothing indicates a language.
 */
export function detectRuleLanguages(text: string): RuleLanguage[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ['ja'];
  if (/\p{Script=Han}/u.test(text)) return ['zh'];
  if (/\p{Script=Cyrillic}/u.test(text)) return ['ru'];
  const words = text.toLowerCase().slice(0, detectionChars).match(detectionWord) ?? [];
  const counts = latinLanguages.map(({ language, words: frequent }) => {
    return words.filter((one) => frequent.has(one)).length + letterScore(language, text);
  });
  const most = Math.max(...counts);
  if (most === 0) return [];
  return latinLanguages
    .filter((_, index) => counts[index] === most)
    .map(({ language }) => language);
}

/** The candidates if nothing indicates a language. */
export const latinRuleLanguages: readonly RuleLanguage[] = latinLanguages.map(
  ({ language }) => language,
);

/** The languages of a message; for a short one, those of the conversation are likelier. */
export function detectWithinConversation(
  text: string,
  whole: readonly RuleLanguage[],
): readonly RuleLanguage[] {
  const own = detectRuleLanguages(text);
  const shared = own.filter((one) => whole.includes(one));
  return [shared, own, whole, latinRuleLanguages].find(({ length }) => length > 0) ?? [];
}

/** True for small talk in any language: few words do not reveal which one. */
export function isSmallTalk(sentence: string): boolean {
  return Object.values(rulesByLanguage).some(({ smallTalk }) => smallTalk.test(sentence));
}

/** Words of all languages by which sentences say what they are about. */
export const sentenceWords: readonly SentenceWords[] = Object.values<LanguageRules>(
  rulesByLanguage,
).map(({ sentences }) => sentences);

/** Enough text to detect a language. */
const detectionChars = 1000;
const detectionWord = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?/gu;

/** Letters that only one or two of the languages use. */
function letterScore(language: RuleLanguage, text: string): number {
  const pattern = distinctiveLetters[language];
  return pattern?.test(text) ? 1 : 0;
}

const distinctiveLetters: Partial<Record<RuleLanguage, RegExp>> = {
  de: /[ßäöü]/i,
  fr: /[çœèêàùû]/i,
  es: /[ñ¿¡]/i,
  it: /[èìòù]/i,
  pt: /[ãõç]/i,
};
