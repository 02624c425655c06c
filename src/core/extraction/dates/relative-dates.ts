import type { Granularity } from '../../../contract/schemas/memory.ts';
import type { Occurrence } from '../../ports/index.ts';
import { allRules, anyLanguage, spacedRules, spacelessRules } from '../languages/all-languages.ts';
import type { NearUnit } from '../languages/calendar-words.ts';
import { anyWord, type LanguageRules } from '../languages/rules.ts';
import type { Tense } from './tense.ts';

type RelativeDateContext = { said_at: string; tense: Tense };

/** Dates that a parser does not know in every language: "last week", a month by name, a year. */
export function readRelativeDate(text: string, about: RelativeDateContext): Occurrence | null {
  for (const [pattern, unit, step] of nearPatterns) {
    if (pattern.test(text)) return stepDate(about.said_at, unit, step);
  }
  return readMonth(text, about) ?? readYear(text);
}

/** "The day before yesterday" has "yesterday" in it in some languages. */
const stepsInOrder = [-2, -1, 2, 1];

const nearPatterns = (['day', 'week', 'month', 'year'] as const).flatMap((unit) =>
  stepsInOrder.map((step) => {
    const [spaced, spaceless] = [spacedRules, spacelessRules].map(
      (among) =>
        anyLanguage(({ calendar }) => calendar.reading.near[unit]?.[step], among) || '(?!)',
    );
    const either = `${anyWord(spaced ?? '').source}|${spaceless}`;
    return [new RegExp(either, 'iu'), unit, step] as const;
  }),
);

function stepDate(said_at: string, unit: NearUnit, step: number): Occurrence {
  const now = new Date(said_at);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const at = {
    day: Date.UTC(year, month, day + step),
    week: Date.UTC(year, month, day + 7 * step),
    month: Date.UTC(year, month + step, 1),
    year: Date.UTC(year + step, 0, 1),
  }[unit];
  return { at: startOfPeriod(new Date(at), unit).toISOString(), granularity: unit };
}

/** A week begins on Monday. */
export function startOfPeriod(date: Date, granularity: Granularity): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (granularity === 'year') return new Date(Date.UTC(year, 0, 1));
  if (granularity === 'month') return new Date(Date.UTC(year, month, 1));
  if (granularity === 'week') {
    return new Date(Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)));
  }
  return date;
}

const readingWord = (part: 'beforeMonth' | 'ofYear' | 'beforeYear' | 'afterYear') =>
  anyLanguage(({ calendar }) => calendar.reading[part]);

/** The languages whose parser reads a month only together with a day. */
const monthRules = allRules.filter(({ calendar }) => calendar.reading.beforeMonth);

const monthPatterns = Array.from({ length: 12 }, (_, month) => {
  const nameOf = ({ calendar }: LanguageRules) => calendar.months.split(' ')[month];
  const names = anyLanguage(nameOf, monthRules);
  const led = `(?:${readingWord('beforeMonth')}) ?(?:${names})(?:[^\\p{L}]|$)`;
  const ofYear = `(?:${names})(?: (?:${readingWord('ofYear')}))? (?:19|20)\\d\\d(?!\\d)`;
  return new RegExp(`(?:^|[^\\p{L}])(?:${led}|${ofYear})`, 'iu');
});

function readMonth(text: string, { said_at, tense }: RelativeDateContext): Occurrence | null {
  const month = monthPatterns.findIndex((pattern) => pattern.test(text));
  if (month < 0) return null;
  const now = new Date(said_at);
  const statedYear = /(?:19|20)\d\d/.exec(text)?.[0];
  let year = statedYear === undefined ? now.getUTCFullYear() : Number(statedYear);
  if (statedYear === undefined && tense === 'past' && month > now.getUTCMonth()) year -= 1;
  if (statedYear === undefined && tense === 'future' && month < now.getUTCMonth()) year += 1;
  return { at: new Date(Date.UTC(year, month, 1)).toISOString(), granularity: 'month' };
}

const yearPatterns = [
  `(?<![\\p{L}\\d])(?:${readingWord('beforeYear')})\\s+(?<year>(?:19|20)\\d\\d)(?![\\d-])`,
  `(?<year>(?:19|20)\\d\\d)(?:${readingWord('afterYear')})(?!\\d)`,
].map((source) => new RegExp(source, 'iu'));

function readYear(text: string): Occurrence | null {
  const [year] = yearPatterns.flatMap((pattern) => pattern.exec(text)?.groups?.year ?? []);
  return year === undefined ? null : { at: `${year}-01-01T00:00:00.000Z`, granularity: 'year' };
}
