import type { Instant, Occurrence } from '../../ports/index.ts';
import {
  findSeasons,
  firstMonthOfSeason,
  type Season,
  type SeasonYear,
} from '../languages/seasons.ts';

type SeasonReference = { said_at: Instant; language: string; tense: 'past' | 'future' | null };

/**
 * The first season in a sentence whose year is known, relative to when it was said: "last summer"
 * is over, "next summer" has not begun, "this summer" is in the same year. A plain "in summer"
 * takes the year that the sentence names elsewhere, or is the coming one in the future tense.
 * `rest` is the sentence without seasons; `seasonOf` takes the year found in it.
 */
export function findSeasonDate(
  text: string,
  { said_at, language, tense }: SeasonReference,
): { seasonOf: (year: number | null) => Occurrence | null; rest: string } {
  const now = new Date(said_at);
  const { seasons, rest } = findSeasons(text, [language]);
  const seasonOf = (yearNamed: number | null): Occurrence | null => {
    for (const { season, of } of seasons) {
      const year = resolveSeasonYear(season, of, { now, tense, yearNamed });
      if (year !== null)
        return { at: seasonStart(season, year).toISOString(), granularity: 'season' };
    }
    return null;
  };
  return { seasonOf, rest };
}

type YearHints = { now: Date; tense: SeasonReference['tense']; yearNamed: number | null };

function resolveSeasonYear(season: Season, of: SeasonYear, hints: YearHints): number | null {
  const { now, tense, yearNamed } = hints;
  const present = now.getUTCFullYear();
  if (typeof of === 'object') return 'year' in of ? of.year : present + of.steps;
  const years = [present - 2, present - 1, present, present + 1];
  const isOver = (year: number) => seasonEnd(season, year) <= now;
  if (of === 'last') return years.findLast(isOver) ?? null;
  if (of === 'next') return years.find((year) => seasonStart(season, year) > now) ?? null;
  if (of === 'any' && yearNamed !== null) return season === winter ? null : yearNamed;
  if (of === 'any')
    return tense === 'future' ? (years.find((year) => !isOver(year)) ?? null) : null;
  if (season !== winter) return present;
  // "This winter" may be the past one or the coming one.
  const isSpring = now.getUTCMonth() < firstMonthOfSeason(1);
  const isBefore = tense === 'future' ? !isOver(present - 1) : isSpring || tense === 'past';
  return isBefore && seasonStart(season, present) > now ? present - 1 : present;
}

const winter: Season = 3;

function seasonStart(season: Season, year: number): Date {
  return new Date(Date.UTC(year, firstMonthOfSeason(season), 1));
}

function seasonEnd(season: Season, year: number): Date {
  return new Date(Date.UTC(year, firstMonthOfSeason(season) + 3, 1));
}
