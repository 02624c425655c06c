import { eachOnce } from './alternatives.ts';
import { holidaysOf, listed } from './calendar-words.ts';
import { german } from './de/rules.ts';
import { english } from './en/rules.ts';
import { spanish } from './es/rules.ts';
import { french } from './fr/rules.ts';
import { italian } from './it/rules.ts';
import { japanese } from './ja/rules.ts';
import { portuguese } from './pt/rules.ts';
import { russian } from './ru/rules.ts';
import { anyWord, type LanguageRules } from './rules.ts';
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

export const allRules: readonly LanguageRules[] = Object.values(rulesByLanguage);

export const spacedRules = allRules.filter(({ isSpaceless }) => !isSpaceless);
export const spacelessRules = allRules.filter(({ isSpaceless }) => isSpaceless);

/** The words of all languages, as alternatives of a pattern; some languages may have none. */
export function anyLanguage(
  wordsOf: (rules: LanguageRules) => string | undefined,
  among: readonly LanguageRules[] = allRules,
): string {
  return eachOnce(...among.map(wordsOf));
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

// `Object.entries` loses the type of the table's keys.
const languages = Object.entries(rulesByLanguage) as [RuleLanguage, LanguageRules][];

/** A value for each language, made from its rules once. */
export function byLanguage<Value>(
  make: (rules: LanguageRules) => Value,
): Record<RuleLanguage, Value> {
  const entries = languages.map(([language, rules]) => [language, make(rules)]);
  return Object.fromEntries(entries) as Record<RuleLanguage, Value>;
}

const latinLanguages = languages
  .filter(([, { script }]) => script === undefined)
  .map(([language, rules]) => ({
    language,
    rules,
    words: new Set(rules.words.split(' ')),
    days: dayNames([rules]),
  }));

/** Most texts name no day, which one pattern for all languages finds soonest. */
const daysOfAny = dayNames(latinLanguages.map(({ rules }) => rules));

/**
 * The languages that a text may be in: by its script, and for Latin script by frequent words. Short
 * texts may be in several; empty if nothing indicates a language. Apart from language/detect.ts,
 * which chooses stems among many more languages: here days, and words of the rules, speak as well.
 */
export function detectRuleLanguages(text: string): RuleLanguage[] {
  const [other] = languages.find(([, { script }]) => script?.test(text)) ?? [];
  if (other !== undefined) return [other];
  const start = text.slice(0, detectionChars);
  const words = start.toLowerCase().match(detectionWord) ?? [];
  const namesDay = daysOfAny.test(start);
  const counts = latinLanguages.map(({ words: frequent, days, rules: { letters } }) => {
    const frequentCount = words.filter((one) => frequent.has(one)).length;
    return frequentCount + (namesDay && days.test(start) ? 2 : 0) + (letters?.test(text) ? 1 : 0);
  });
  const highest = Math.max(...counts);
  if (highest === 0) return [];
  return latinLanguages
    .filter((_, index) => counts[index] === highest)
    .map(({ language }) => language);
}

/** Names of days tell the language even where few words do: "A Natale andiamo in montagna". */
function dayNames(among: readonly LanguageRules[]): RegExp {
  const names = anyLanguage(
    ({ calendar }) => `${holidaysOf(calendar)}|${listed(calendar.weekdays)}`,
    among,
  );
  return anyWord(`(?=[\\p{L}-]{5})(?:${names})`);
}

const latinRuleLanguages: readonly RuleLanguage[] = latinLanguages.map(({ language }) => language);

/**
 * The languages that a text may be in: a short one rather in those of the whole conversation, and
 * in any that has Latin script if nothing indicates one.
 */
export function likelyLanguages(
  text: string,
  whole: readonly RuleLanguage[] = [],
): readonly RuleLanguage[] {
  const ruleLanguages = detectRuleLanguages(text);
  const shared = ruleLanguages.filter((one) => whole.includes(one));
  return [shared, ruleLanguages, whole].find(({ length }) => length > 0) ?? latinRuleLanguages;
}

/** Whether languages are likely only because nothing indicates one: no text looks like all. */
export function isUndetected(likely: readonly RuleLanguage[]): boolean {
  return likely.length === latinRuleLanguages.length;
}

/** True for small talk in any language: few words do not reveal which one. */
export function isSmallTalk(sentence: string): boolean {
  return allRules.some(({ smallTalk }) => smallTalk.test(sentence));
}

/** Enough text to detect a language. */
const detectionChars = 1000;
const detectionWord = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?/gu;
