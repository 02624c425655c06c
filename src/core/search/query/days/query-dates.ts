import {
  findSeasons,
  firstMonthOfSeason,
  type NamedSeason,
  seasonLanguages,
} from '../../../extraction/languages/seasons.ts';
import type { Language } from '../../../language/languages.ts';
import { type MatchGroups, matchGroupsOf } from '../../../language/match-groups.ts';
import { withPeopleApart } from '../../../language/month-names.ts';
import type { Instant } from '../../../ports/index.ts';
import {
  type DayRange,
  dayIn,
  dayRangeOf,
  dayToDate,
  inZone,
  seasonRangeOf,
  singleDay,
  weekRangeOf,
  type ZonedDays,
} from './calendar.ts';

/**
 * What one date of a question may mean: any of these days. "In May" is the next May and the Mays of
 * the years before it, up to a limit; "on Friday" is the last one or the coming one.
 */
export type QueryDate = readonly ZonedDays[];

/** The same days, wherever they are counted. */
type NamedDays = readonly DayRange[];

/** The day from which days are counted, and the languages that a question is known to be in. */
export type DatesAsked = {
  now: Instant;
  timezone: string;
  sure: readonly Language[];
  /** Reads days in other languages than English; null where the question is in none for sure. */
  others: OtherDays | null;
};

/** A question asks for everything that happened on the days, or for everything said on them. */
export type AskedOfDays = 'happened' | 'said';

/** Reads days in some languages. */
export type OtherDays = {
  patternsFor(sure: readonly Language[]): readonly DatePattern[];
  /** What a question without other words than these asks about its days. */
  askedOfDays(remainder: string, sure: readonly Language[]): AskedOfDays | null;
};

/**
 * The dates that a question names: days, months, years and words such as "last week", counted from
 * `now`, in the days of the time zone. Knows English words and ISO 8601, seasons in the languages
 * whose dates are read, but for those that the query is not in for `sure`, and what `others` know.
 * At most 10, the most exact first; `rest` is the question without them.
 */
export function parseQueryDates(
  query: string,
  { now, timezone, sure, others }: DatesAsked,
): { dates: QueryDate[]; remainder: string } {
  const today = dayIn(timezone, now);
  const seasons = findSeasons(query.toLowerCase(), seasonLanguages(sure));
  const dates = seasons.seasons.map((season) => seasonDate(season, today));
  const isOther = sure.length > 0 && !sure.includes('english');
  let remainder = foldMarks(isOther ? seasons.rest : withPeopleApart(seasons.rest));
  for (const [pattern, read] of [...(others?.patternsFor(sure) ?? []), ...datePatterns]) {
    remainder = remainder.replace(pattern, (...match: unknown[]) => {
      const date = read(matchGroupsOf(match), today);
      if (date.length === 0) return String(match[0]);
      dates.push(date);
      return ' ';
    });
  }
  const firstDates = dates.slice(0, queryDatesMax);
  return { dates: firstDates.map((date) => date.map((days) => inZone(days, timezone))), remainder };
}

/** Each date costs the store one lookup for each of its years. */
const queryDatesMax = 10;

/**
 * The share of the days that the date covers, 0 to 1: one month is a small part of a whole year.
 */
export function overlapShare(date: NamedDays, days: DayRange): number {
  const length = days.to - days.from + 1;
  const common = ({ from, to }: DayRange) => Math.min(to, days.to) - Math.max(from, days.from) + 1;
  return Math.max(0, ...date.map(common)) / length;
}

const monthNames = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'.split('|');
const monthSource =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const daySource = '(?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?';
const yearSource = '(?<year>(?:19|20)\\d\\d)';
export const weekdayNames = 'sunday|monday|tuesday|wednesday|thursday|friday|saturday';
const numberWords = 'zero|one|two|three|four|five|six|seven|eight|nine|ten'.split('|');
const countSource = `(?<count>\\d{1,3}|an?|${numberWords.join('|')}|a couple of|a few)`;
const unitSource = '(?<unit>day|week|month|year)s?';

/** What follows a number that is a day and does not count something. */
export const aloneSource = '(?= {0,2}(?:[?!.,;]|$))';

/** After one of these, "may" and "march" are months, not verbs. */
const preposition = '(?:in|of|last|this|next|early|late|mid|since|until|by|during|around|from)';

export type DatePattern = readonly [
  pattern: RegExp,
  read: (groups: MatchGroups, today: number) => NamedDays,
];

/** The most exact pattern first: what it has read is not read again. */
const datePatterns: readonly DatePattern[] = [
  [
    wholeWordPattern('(?<year>\\d{4})-(?<number>0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\\d|3[01])'),
    calendarDate,
  ],
  [
    wholeWordPattern('(?<day>0?[1-9]|[12]\\d|3[01])\\.(?<number>0?[1-9]|1[0-2])\\.(?<year>\\d{4})'),
    calendarDate,
  ],
  [wholeWordPattern('(?<year>\\d{4})-(?<number>0[1-9]|1[0-2])'), calendarDate],
  [wholeWordPattern(`${monthSource}\\.? ${daySource}(?:,? ${yearSource})?`), calendarDate],
  [wholeWordPattern(`${daySource}(?: of)? ${monthSource}(?:,? ${yearSource})?`), calendarDate],
  [new RegExp(`\\bon the ${daySource}${aloneSource}`, 'g'), dayOfMonth],
  [wholeWordPattern(`${monthSource}\\.?,?(?: of)? ${yearSource}`), calendarDate],
  [wholeWordPattern(`${preposition} ${monthSource}`), calendarDate],
  [wholeWordPattern(monthSource.replace('may|', '').replace('mar(?:ch)?|', '')), calendarDate],
  [wholeWordPattern(yearSource), calendarDate],
  [wholeWordPattern('(?:the )?day before yesterday'), (_, today) => [singleDay(today - 2)]],
  [wholeWordPattern('yesterday|last night'), (_, today) => [singleDay(today - 1)]],
  [
    wholeWordPattern('today|tonight|this (?:morning|afternoon|evening)'),
    (_, today) => [singleDay(today)],
  ],
  [wholeWordPattern('tomorrow'), (_, today) => [singleDay(today + 1)]],
  [
    wholeWordPattern('(?<which>last|past|this|next) (?<unit>week|weekend|month|year)'),
    relativeUnit,
  ],
  [wholeWordPattern(`(?:last|past) ${countSource} ${unitSource}`), pastUnits],
  [wholeWordPattern(`${countSource} ${unitSource} ago`), unitsAgo],
  [wholeWordPattern(`in ${countSource} ${unitSource}`), unitsAhead],
  [
    wholeWordPattern(`last (?<weekday>${weekdayNames})`),
    (groups, today) => [lastWeekday(groups, today)],
  ],
  [
    wholeWordPattern(`next (?<weekday>${weekdayNames})`),
    (groups, today) => [nextWeekday(groups, today)],
  ],
  [
    wholeWordPattern(`(?:on|this) (?<weekday>${weekdayNames})`),
    (groups, today) => [nextWeekday(groups, today), lastWeekday(groups, today)],
  ],
];

function wholeWordPattern(source: string): RegExp {
  return new RegExp(`\\b(?:${source})\\b`, 'g');
}

/** A day or month without a year may be up to this many years ago. */
const yearsBack = 10;

/** Years without the day are left out, as for 29 February. */
export function calendarDate({ year, month, number, day }: MatchGroups, today: number): NamedDays {
  const index = month === undefined ? Number(number) - 1 : monthNames.indexOf(month.slice(0, 3));
  const monthAndDay = (month ?? number) ? ([index, ...(day ? [Number(day)] : [])] as const) : [];
  const nextYear = dayToDate(today).getUTCFullYear() + 1;
  const years =
    year === undefined
      ? Array.from({ length: yearsBack + 2 }, (_, back) => nextYear - back)
      : [Number(year)];
  const ranges = years.map((one) => dayRangeOf(one, ...monthAndDay));
  return ranges.filter(({ from }) => !day || dayToDate(from).getUTCDate() === Number(day));
}

/** "On the 21st": the last one, or the coming one. */
export function dayOfMonth({ day }: MatchGroups, today: number): NamedDays {
  const date = dayToDate(today);
  const months = Array.from({ length: 5 }, (_, step) =>
    dayRangeOf(date.getUTCFullYear(), date.getUTCMonth() + 2 - step, Number(day)),
  ).filter(({ from }) => dayToDate(from).getUTCDate() === Number(day));
  const last = months.find(({ from }) => from <= today);
  const coming = months.findLast(({ from }) => from > today);
  return [coming, last].filter((days) => days !== undefined);
}

/** A winter begins in the year before most of its days: the winters of both years are meant. */
function seasonDate({ season, of }: NamedSeason, today: number): NamedDays {
  const month = firstMonthOfSeason(season);
  const inYear = (year: number) =>
    [year, ...(month + 2 < 12 ? [] : [year - 1])].map((one) => seasonRangeOf(one, month));
  const present = dayToDate(today).getUTCFullYear();
  if (typeof of === 'object') return inYear('year' in of ? of.year : present + of.steps);
  if (of === 'this') return inYear(present);
  const years = Array.from({ length: yearsBack + 2 }, (_, back) => present + 1 - back);
  const days = years.map((year) => seasonRangeOf(year, month));
  if (of === 'last') return days.filter(({ to }) => to < today).slice(0, 1);
  return of === 'next' ? days.filter(({ from }) => from > today).slice(-1) : days;
}

const relativeSteps: Record<string, number> = { last: -1, past: -1, this: 0, next: 1 };

export function relativeUnit({ which = '', unit = '' }: MatchGroups, today: number): NamedDays {
  return [unitAround(unit, shiftDay(today, unit, relativeSteps[which] ?? 0))];
}

export function unitsAgo({ count = '', unit = '' }: MatchGroups, today: number): NamedDays {
  return [unitAround(unit, shiftDay(today, unit, -parseCount(count)))];
}

function unitsAhead({ count = '', unit = '' }: MatchGroups, today: number): NamedDays {
  return [unitAround(unit, shiftDay(today, unit, parseCount(count)))];
}

function pastUnits({ count = '', unit = '' }: MatchGroups, today: number): NamedDays {
  return [{ from: shiftDay(today, unit, -parseCount(count)), to: today }];
}

/** The last day of this name before today. */
export function lastWeekday({ weekday = '' }: MatchGroups, today: number): DayRange {
  const weekdayIndex = weekdayNames.split('|').indexOf(weekday);
  const back = (dayToDate(today).getUTCDay() - weekdayIndex + 6) % 7;
  return singleDay(today - back - 1);
}

/** The first day of this name, today included. */
export function nextWeekday({ weekday = '' }: MatchGroups, today: number): DayRange {
  const weekdayIndex = weekdayNames.split('|').indexOf(weekday);
  return singleDay(today + ((weekdayIndex - dayToDate(today).getUTCDay() + 7) % 7));
}

/** The week, month or year that the day is in, as calendars count them. */
function unitAround(unit: string, at: number): DayRange {
  const date = dayToDate(at);
  if (unit === 'week') return weekRangeOf(at);
  if (unit === 'weekend') return { from: weekRangeOf(at).to - 1, to: weekRangeOf(at).to };
  if (unit === 'month') return dayRangeOf(date.getUTCFullYear(), date.getUTCMonth());
  return unit === 'year' ? dayRangeOf(date.getUTCFullYear()) : singleDay(at);
}

function shiftDay(day: number, unit: string, by: number): number {
  const date = dayToDate(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'day') return day + by;
  if (unit === 'week' || unit === 'weekend') return day + 7 * by;
  // The last day of a shorter month, not the first of the next one.
  const target = unit === 'month' ? dayRangeOf(year, month + by) : dayRangeOf(year + by, month);
  return Math.min(target.from + date.getUTCDate() - 1, target.to);
}

function parseCount(count: string): number {
  if (/^\d/.test(count)) return Number(count);
  if (count === 'a couple of') return 2;
  if (count === 'a few') return 3;
  return Math.max(1, numberWords.indexOf(count));
}

/** Removes the accents of letters that are found without them as well. */
export function foldMarks(text: string): string {
  const folded = text.normalize('NFD').replace(accented, '');
  return folded.normalize('NFC');
}

const accented = /(?<=[\p{Script=Latin}\p{Script=Cyrillic}])\p{M}{1,3}/gu;
