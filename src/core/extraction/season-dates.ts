import {
  findSeasons,
  firstMonthOfSeason,
  type Season,
  type SeasonYear,
} from '../language/seasons.ts';
import type { Instant, Occurrence } from '../ports/index.ts';

type SeasonReference = { said_at: Instant; language: string; tense: 'past' | 'future' | null };

/**
 * The first season that a sentence names and says which it is of, as of when it was said: the last
 * summer is over, the next one has not begun, "this summer" is that of the year. One that nothing
 * tells apart is that of the year that the sentence names elsewhere, or the coming one where the
 * tense says so, else none. `rest` is the sentence without; `seasonRangeOf` is given the year in it.
 */
export function findSeasonDate(
  text: string,
  { said_at, language, tense }: SeasonReference,
): { seasonOf: (named: number | null) => Occurrence | null; rest: string } {
  const now = new Date(said_at);
  const { named, rest } = findSeasons(text, [language]);
  const seasonOf = (yearNamed: number | null): Occurrence | null => {
    for (const { season, of } of named) {
      const year = resolveSeasonYear(season, of, { now, tense, yearNamed });
      if (year !== null)
        return { at: seasonStart(season, year).toISOString(), granularity: 'season' };
    }
    return null;
  };
  return { seasonOf, rest };
}

type YearHints = { now: Date; tense: SeasonReference['tense']; yearNamed: number | null };

function resolveSeasonYear(season: Season, of: SeasonYear, told: YearHints): number | null {
  const { now, tense } = told;
  const present = now.getUTCFullYear();
  if (typeof of === 'object') return 'year' in of ? of.year : present + of.steps;
  const near = [present - 2, present - 1, present, present + 1];
  const isOver = (year: number) => seasonEnd(season, year) <= now;
  if (of === 'last') return near.findLast(isOver) ?? null;
  if (of === 'next') return near.find((year) => seasonStart(season, year) > now) ?? null;
  if (of === 'any' && told.yearNamed !== null) return season === winter ? null : told.yearNamed;
  if (of === 'any') return tense === 'future' ? (near.find((year) => !isOver(year)) ?? null) : null;
  if (season !== winter) return present;
  // The winter of this year may be the one that is over, or the one to come.
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
