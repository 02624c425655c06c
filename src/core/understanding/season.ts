import { monthOf, readSeasons, type Season, type SeasonOf } from '../language/seasons.ts';
import type { Instant, Occurrence } from '../ports.ts';

type About = { said_at: Instant; language: string; tense: 'past' | 'future' | null };

/**
 * The first season that a sentence names and says which it is of, as of when it was said: the last
 * summer is over, the next one has not begun, "this summer" is that of the year. One that nothing
 * tells apart is that of the year that the sentence names elsewhere, or the coming one where the
 * tense says so, else none. `rest` is the sentence without; `seasonOf` is given the year in it.
 */
export function seasonIn(
  text: string,
  { said_at, language, tense }: About,
): { seasonOf: (named: number | null) => Occurrence | null; rest: string } {
  const now = new Date(said_at);
  const { named, rest } = readSeasons(text, [language]);
  const seasonOf = (yearNamed: number | null): Occurrence | null => {
    for (const { season, of } of named) {
      const year = yearOf(season, of, { now, tense, yearNamed });
      if (year !== null) return { at: beginOf(season, year).toISOString(), granularity: 'season' };
    }
    return null;
  };
  return { seasonOf, rest };
}

type Told = { now: Date; tense: About['tense']; yearNamed: number | null };

function yearOf(season: Season, of: SeasonOf, told: Told): number | null {
  const { now, tense } = told;
  const present = now.getUTCFullYear();
  if (typeof of === 'object') return 'year' in of ? of.year : present + of.steps;
  const near = [present - 2, present - 1, present, present + 1];
  const isOver = (year: number) => endOf(season, year) <= now;
  if (of === 'last') return near.findLast(isOver) ?? null;
  if (of === 'next') return near.find((year) => beginOf(season, year) > now) ?? null;
  if (of === 'any' && told.yearNamed !== null) return season === winter ? null : told.yearNamed;
  if (of === 'any') return tense === 'future' ? (near.find((year) => !isOver(year)) ?? null) : null;
  if (season !== winter) return present;
  // The winter of this year may be the one that is over, or the one to come.
  const isSpring = now.getUTCMonth() < monthOf(1);
  const isBefore = tense === 'future' ? !isOver(present - 1) : isSpring || tense === 'past';
  return isBefore && beginOf(season, present) > now ? present - 1 : present;
}

const winter: Season = 3;

function beginOf(season: Season, year: number): Date {
  return new Date(Date.UTC(year, monthOf(season), 1));
}

function endOf(season: Season, year: number): Date {
  return new Date(Date.UTC(year, monthOf(season) + 3, 1));
}
