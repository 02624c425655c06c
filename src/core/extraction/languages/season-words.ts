import type { RuleLanguage } from './all-languages.ts';
import type { SeasonWords } from './calendar-words.ts';
import { germanSeasons } from './de/seasons.ts';
import { englishSeasons } from './en/seasons.ts';
import { spanishSeasons } from './es/seasons.ts';
import { frenchSeasons } from './fr/seasons.ts';
import { italianSeasons } from './it/seasons.ts';
import { japaneseSeasons } from './ja/seasons.ts';
import { portugueseSeasons } from './pt/seasons.ts';
import { russianSeasons } from './ru/seasons.ts';
import { chineseSeasons } from './zh/seasons.ts';

/** Apart from the rules of languages, so that a search does not load those. */
export const seasonWords: Record<RuleLanguage, SeasonWords> = {
  en: englishSeasons,
  de: germanSeasons,
  fr: frenchSeasons,
  es: spanishSeasons,
  it: italianSeasons,
  pt: portugueseSeasons,
  ru: russianSeasons,
  ja: japaneseSeasons,
  zh: chineseSeasons,
};
