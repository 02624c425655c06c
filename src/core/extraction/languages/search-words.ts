import type { RuleLanguage } from './all-languages.ts';
import { eachOnce } from './alternatives.ts';
import { germanSearch } from './de/search.ts';
import { englishSearch } from './en/search.ts';
import { spanishSearch } from './es/search.ts';
import { frenchSearch } from './fr/search.ts';
import { italianSearch } from './it/search.ts';
import { japaneseSearch } from './ja/search.ts';
import { portugueseSearch } from './pt/search.ts';
import { russianSearch } from './ru/search.ts';
import { chineseSearch } from './zh/search.ts';

/**
 * The words of a language in questions, secrets and denials, as sources of patterns. They are apart
 * from its rules, so that a search does not load those.
 */
type SearchWords = {
  /** Words for earlier times. */
  past: string;
  /** The first words of questions. */
  asks?: string;
  /** Last words of questions without a question mark, in scripts without spaces. */
  asksLast?: string;
  /** Between two questions: "and", "also"; and how another one is asked in short. */
  asksOn?: string;
  also?: string;
  asksMore?: string;
  /** For what was named in the question before. */
  pronouns?: string;
  passwords?: string;
  /** Between "password" and what it is. */
  passwordIs?: string;
  /** "Password manager" leads to none. */
  noPassword?: string;
  /** "Four words" is how a password is made. */
  numbers?: string;
  parts?: string;
  /** Words of negation. */
  negations: string;
};

const searchWords: Record<RuleLanguage, SearchWords> = {
  en: englishSearch,
  de: germanSearch,
  fr: frenchSearch,
  es: spanishSearch,
  it: italianSearch,
  pt: portugueseSearch,
  ru: russianSearch,
  ja: japaneseSearch,
  zh: chineseSearch,
};
const { ja, zh, ...spaced } = searchWords;

/** The words for a thing in each language that writes words apart. */
export function searchWordsFor(part: keyof SearchWords): string[] {
  return wordsIn(Object.values(spaced), part);
}

/** The words for a thing as alternatives of a pattern. */
export function anySearchWord(...parts: readonly (keyof SearchWords)[]): string {
  return eachOnce(...parts.flatMap(searchWordsFor));
}

/** The same, as whole words, and the words of scripts without spaces anywhere. */
export function wholeSearchWord(part: keyof SearchWords): string {
  const whole = `(?<!\\p{L})(?:${anySearchWord(part)})(?!\\p{L})`;
  return [whole, ...wordsIn([ja, zh], part)].join('|');
}

/** The words of the scripts without spaces alone. */
export function unspacedSearchWord(part: keyof SearchWords): string {
  return wordsIn([ja, zh], part).join('|');
}

function wordsIn(languages: readonly SearchWords[], part: keyof SearchWords): string[] {
  return languages.map((words) => words[part]).filter((words) => words !== undefined);
}
