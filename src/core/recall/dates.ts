import { type Groups, groupsOf } from '../language/groups.ts';
import type { Language } from '../language/languages.ts';
import { monthOf, type NamedSeason, readSeasons, seasonLanguages } from '../language/seasons.ts';
import type { Instant } from '../ports.ts';
import { type Days, dayOf, daysOf, oneDay, seasonOf, toDate, weekOf } from './calendar.ts';

/**
 * What one date of a question may mean: any of these days. "In May" is the next May and each of the
 * years before it, so far as it matters; "on Friday" is the last one or the coming one.
 */
export type AskedDate = readonly Days[];

/**
 * The dates that a question names: days, months, years and words such as "last week", counted from
 * `now`, in UTC. Knows English words and ISO 8601, and seasons in the languages whose dates are
 * read, but for those that the query is not in for `sure`.
 */
export function readDates(query: string, now: Instant, sure: readonly Language[]): AskedDate[] {
  const today = dayOf(now);
  const seasons = readSeasons(query.toLowerCase(), seasonLanguages(sure));
  const dates = seasons.named.map((season) => daysOfSeason(season, today));
  let { rest } = seasons;
  for (const [pattern, read] of readers) {
    rest = rest.replace(pattern, (...found: unknown[]) => {
      dates.push(read(groupsOf(found), today));
      return ' ';
    });
  }
  return dates;
}

/** How much of the days is of the date, 0 to 1: of a whole year, one month says little. */
export function shareOn(date: AskedDate, days: Days): number {
  const length = days.to - days.from + 1;
  const common = ({ from, to }: Days) => Math.min(to, days.to) - Math.max(from, days.from) + 1;
  return Math.max(0, ...date.map(common)) / length;
}

const monthNames = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'.split('|');
const month =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const day = '(?<day>3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?';
const year = '(?<year>(?:19|20)\\d\\d)';
const weekdays = 'sunday|monday|tuesday|wednesday|thursday|friday|saturday';
const numbers = 'zero|one|two|three|four|five|six|seven|eight|nine|ten'.split('|');
const count = `(?<count>\\d{1,3}|an?|${numbers.join('|')}|a couple of|a few)`;
const unit = '(?<unit>day|week|month|year)s?';

/** After one of these, "may" and "march" are months, not verbs. */
const preposition = '(?:in|of|last|this|next|early|late|mid|since|until|by|during|around|from)';

type Reader = readonly [pattern: RegExp, read: (groups: Groups, today: number) => AskedDate];

/** The most exact first: what one has read is not read again. */
const readers: readonly Reader[] = [
  [words('(?<year>\\d{4})-(?<number>0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\\d|3[01])'), named],
  [words('(?<year>\\d{4})-(?<number>0[1-9]|1[0-2])'), named],
  [words(`${month}\\.? ${day}(?:,? ${year})?`), named],
  [words(`${day}(?: of)? ${month}(?:,? ${year})?`), named],
  [words(`${month}\\.?,?(?: of)? ${year}`), named],
  [words(`${preposition} ${month}`), named],
  [words(month.replace('may|', '').replace('mar(?:ch)?|', '')), named],
  [words(year), named],
  [words('(?:the )?day before yesterday'), (_, today) => [oneDay(today - 2)]],
  [words('yesterday|last night'), (_, today) => [oneDay(today - 1)]],
  [words('today|tonight|this (?:morning|afternoon|evening)'), (_, today) => [oneDay(today)]],
  [words('tomorrow'), (_, today) => [oneDay(today + 1)]],
  [words('(?<which>last|past|this|next) (?<unit>week|weekend|month|year)'), whole],
  [words(`(?:last|past) ${count} ${unit}`), lately],
  [words(`${count} ${unit} ago`), ago],
  [words(`in ${count} ${unit}`), ahead],
  [words(`last (?<weekday>${weekdays})`), (groups, today) => [lastWeekday(groups, today)]],
  [words(`next (?<weekday>${weekdays})`), (groups, today) => [nextWeekday(groups, today)]],
  [
    words(`(?:on|this) (?<weekday>${weekdays})`),
    (groups, today) => [nextWeekday(groups, today), lastWeekday(groups, today)],
  ],
];

function words(source: string): RegExp {
  return new RegExp(`\\b(?:${source})\\b`, 'g');
}

/** How many years back a day or month without its year may be. */
const yearsBack = 10;

function named({ year, month, number, day }: Groups, today: number): AskedDate {
  const index = month === undefined ? Number(number) - 1 : monthNames.indexOf(month.slice(0, 3));
  const rest = (month ?? number) ? ([index, ...(day ? [Number(day)] : [])] as const) : [];
  if (year !== undefined) return [daysOf(Number(year), ...rest)];
  const nextYear = toDate(today).getUTCFullYear() + 1;
  return Array.from({ length: yearsBack + 2 }, (_, back) => daysOf(nextYear - back, ...rest));
}

/** The first day of a winter is in the year before most of it: both years' are meant. */
function daysOfSeason({ season, of }: NamedSeason, today: number): AskedDate {
  const month = monthOf(season);
  const inYear = (year: number) =>
    [year, ...(month + 2 < 12 ? [] : [year - 1])].map((one) => seasonOf(one, month));
  const present = toDate(today).getUTCFullYear();
  if (typeof of === 'object') return inYear('year' in of ? of.year : present + of.steps);
  if (of === 'this') return inYear(present);
  const years = Array.from({ length: yearsBack + 2 }, (_, back) => present + 1 - back);
  const days = years.map((year) => seasonOf(year, month));
  if (of === 'last') return days.filter(({ to }) => to < today).slice(0, 1);
  return of === 'next' ? days.filter(({ from }) => from > today).slice(-1) : days;
}

const steps: Record<string, number> = { last: -1, past: -1, this: 0, next: 1 };

function whole({ which = '', unit = '' }: Groups, today: number): AskedDate {
  return [unitAround(unit, shifted(today, unit, steps[which] ?? 0))];
}

function ago({ count = '', unit = '' }: Groups, today: number): AskedDate {
  return [unitAround(unit, shifted(today, unit, -numberOf(count)))];
}

function ahead({ count = '', unit = '' }: Groups, today: number): AskedDate {
  return [unitAround(unit, shifted(today, unit, numberOf(count)))];
}

function lately({ count = '', unit = '' }: Groups, today: number): AskedDate {
  return [{ from: shifted(today, unit, -numberOf(count)), to: today }];
}

/** The last such day before today. */
function lastWeekday({ weekday = '' }: Groups, today: number): Days {
  const wanted = weekdays.split('|').indexOf(weekday);
  const back = (toDate(today).getUTCDay() - wanted + 6) % 7;
  return oneDay(today - back - 1);
}

/** The first such day from today on. */
function nextWeekday({ weekday = '' }: Groups, today: number): Days {
  const wanted = weekdays.split('|').indexOf(weekday);
  return oneDay(today + ((wanted - toDate(today).getUTCDay() + 7) % 7));
}

/** The week, month or year that the day is in, as calendars count them. */
function unitAround(unit: string, at: number): Days {
  const date = toDate(at);
  if (unit === 'week') return weekOf(at);
  if (unit === 'weekend') return { from: weekOf(at).to - 1, to: weekOf(at).to };
  if (unit === 'month') return daysOf(date.getUTCFullYear(), date.getUTCMonth());
  return unit === 'year' ? daysOf(date.getUTCFullYear()) : oneDay(at);
}

function shifted(day: number, unit: string, by: number): number {
  const date = toDate(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === 'day') return day + by;
  if (unit === 'week' || unit === 'weekend') return day + 7 * by;
  // The last day of a shorter month, not the first of the next one.
  const target = unit === 'month' ? daysOf(year, month + by) : daysOf(year + by, month);
  return Math.min(target.from + date.getUTCDate() - 1, target.to);
}

function numberOf(count: string): number {
  if (/^\d/.test(count)) return Number(count);
  if (count === 'a couple of') return 2;
  if (count === 'a few') return 3;
  return Math.max(1, numbers.indexOf(count));
}
