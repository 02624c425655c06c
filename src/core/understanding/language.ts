import { german } from './languages/de.ts';
import { english } from './languages/en.ts';
import { spanish } from './languages/es.ts';
import { french } from './languages/fr.ts';
import { italian } from './languages/it.ts';
import { japanese } from './languages/ja.ts';
import { portuguese } from './languages/pt.ts';
import { russian } from './languages/ru.ts';
import type { LanguageRules } from './languages/rules.ts';
import { chinese } from './languages/zh.ts';

const rules = {
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

/** A language that the rules know, by its code of ISO 639-1. */
export type Language = keyof typeof rules;

export function rulesOf(language: Language): LanguageRules {
  return rules[language];
}

const latin = (['en', 'de', 'fr', 'es', 'it', 'pt'] as const).map((language) => ({
  language,
  words: new Set(rules[language].words.split(' ')),
}));

/**
 * The languages that a text may be in, likeliest first: by its script, and where that is Latin by
 * its frequent words. Short texts may be in several; none where nothing tells.
 */
export function languagesOf(text: string): Language[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return ['ja'];
  if (/\p{Script=Han}/u.test(text)) return ['zh'];
  if (/\p{Script=Cyrillic}/u.test(text)) return ['ru'];
  const words = text.toLowerCase().slice(0, readChars).match(word) ?? [];
  const counts = latin.map(({ language, words: frequent }) => {
    return words.filter((one) => frequent.has(one)).length + marks(language, text);
  });
  const most = Math.max(...counts);
  if (most === 0) return [];
  return latin.filter((_, index) => counts[index] === most).map(({ language }) => language);
}

/** Where nothing tells. */
export const anyLanguage: readonly Language[] = latin.map(({ language }) => language);

/** A short message may be in several languages: those of the conversation are likelier. */
export function languagesAmong(text: string, whole: readonly Language[]): readonly Language[] {
  const own = languagesOf(text);
  const shared = own.filter((one) => whole.includes(one));
  return [shared, own, whole, anyLanguage].find(({ length }) => length > 0) ?? [];
}

/** A sentence that says nothing in any language: few words tell which one it is. */
export function isSmallTalk(sentence: string): boolean {
  return Object.values(rules).some(({ smallTalk }) => smallTalk.test(sentence));
}

/** Enough to tell by. */
const readChars = 1000;
const word = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)?/gu;

/** Letters that only one or two of them write. */
function marks(language: Language, text: string): number {
  const pattern = letters[language];
  return pattern?.test(text) ? 1 : 0;
}

const letters: Partial<Record<Language, RegExp>> = {
  de: /[ßäöü]/i,
  fr: /[çœèêàùû]/i,
  es: /[ñ¿¡]/i,
  it: /[èìòù]/i,
  pt: /[ãõç]/i,
};
