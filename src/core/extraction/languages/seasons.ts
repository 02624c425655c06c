import { type Language, languages } from '../../language/languages.ts';
import { matchGroupsOf } from '../../language/match-groups.ts';
import type { SeasonWords } from './calendar-words.ts';
import { seasonWords } from './season-words.ts';

/** Spring, summer, autumn, winter, as meteorologists north of the equator count them. */
export type Season = 0 | 1 | 2 | 3;

/** Which of all summers: that of a year, by steps from the present year, or by a word. */
export type SeasonYear = { year: number } | { steps: number } | 'last' | 'this' | 'next' | 'any';

export type NamedSeason = { season: Season; of: SeasonYear };

/**
 * The seasons that a text names in words that say which: "last summer", "im Winter 2024", "next
 * fall", and with `any` those that say no more than "in the summer". `rest` is the text without
 * them. Languages are those of `seasonWords`.
 */
export function findSeasons(
  text: string,
  languages: readonly string[],
): { seasons: NamedSeason[]; rest: string } {
  const seasons: NamedSeason[] = [];
  let rest = text;
  for (const language of languages) {
    const reading = seasonPatterns.get(language);
    if (reading === undefined || !reading.any.test(rest)) continue;
    for (const { pattern, of } of reading.readers()) {
      rest = rest.replace(pattern, (...match: unknown[]) => {
        const { season = '', year } = matchGroupsOf(match);
        const which = reading.seasons.findIndex((word) => word.test(season));
        seasons.push({ season: which as Season, of: of(year) }); // there are four
        return ' ';
      });
    }
  }
  return { seasons, rest };
}

/** Months count from 0. A winter is of the year in which it begins. */
export function firstMonthOfSeason(season: Season): number {
  return 2 + 3 * season;
}

/**
 * The languages whose names of seasons a text may use, if it is in the `sure` ones. If no language
 * of a script is sure, all of that script are possible. A short text such as "im Sommer 2024" may
 * pass for English, so English excludes only languages whose seasons mean other things in English
 * ("estate planning").
 */
export function seasonLanguages(sure: readonly Language[]): string[] {
  return Object.entries(seasonWords).flatMap(([code, { language, unlike }]) => {
    if (language === null) return [code];
    const { script } = languages[language];
    const ofScript = sure.filter((name) => languages[name].script === script);
    const mayBe = (name: Language) =>
      name === language || (name === 'english' && unlike !== 'english');
    return ofScript.length === 0 || ofScript.some(mayBe) ? [code] : [];
  });
}

type SeasonPatterns = {
  /** One of the seasons, however it is named. */
  any: RegExp;
  seasons: readonly RegExp[];
  /** Compiled with the first text that names a season: many, and each knows all letters. */
  readers: () => readonly SeasonReader[];
};

type SeasonReader = { pattern: RegExp; of: (year: string | undefined) => SeasonYear };

function compileSeasonPatterns(words: SeasonWords): SeasonPatterns {
  const { seasons } = words;
  let compiled: readonly SeasonReader[] | null = null;
  return {
    any: new RegExp(seasons.join('|'), 'iu'),
    seasons: seasons.map((word) => new RegExp(`^(?:${word})$`, 'iu')),
    readers: () => {
      compiled ??= compileSeasonReaders(words);
      return compiled;
    },
  };
}

/** The most exact first: what one has read is not read again. */
function compileSeasonReaders(words: SeasonWords): SeasonReader[] {
  const { seasons, where = '', spaceless = false } = words;
  const season = `${where}(?<season>${seasons.join('|')})`;
  const year = spaceless ? '(?<year>(?:19|20)\\d\\d)' : "(?<year>(?:19|20)\\d\\d|['’]\\d\\d)";
  const [before, after] = spaceless ? ['', ''] : ['(?<![\\p{L}\\p{M}])', '(?![\\p{L}\\p{M}\\d])'];
  const readers = (templates: readonly string[], of: (year: string | undefined) => SeasonYear) =>
    templates.map((template) => {
      const source = template.replace('SEASON', () => season).replace('YEAR', () => year);
      return { pattern: new RegExp(`${before}(?:${source})${after}`, 'giu'), of };
    });
  return [
    ...readers(words.year, (digits = '') => ({ year: parseYear(digits) })),
    ...readers(words.lastYear, () => ({ steps: -1 })),
    ...readers(words.thisYear, () => ({ steps: 0 })),
    ...readers(words.nextYear, () => ({ steps: 1 })),
    ...readers(words.last, () => 'last'),
    ...readers(words.next, () => 'next'),
    ...readers(words.this, () => 'this'),
    ...readers(words.any, () => 'any'),
  ];
}

/** "'98" is of the century before: what is told happened, or is to happen soon. */
function parseYear(digits: string): number {
  const number = Number(digits.replace(/^['’]/, ''));
  if (number > 99) return number;
  return number + (number > shortYearMax ? 1900 : 2000);
}

const shortYearMax = 50;

const seasonPatterns = new Map(
  Object.entries(seasonWords).map(([language, words]) => [language, compileSeasonPatterns(words)]),
);
