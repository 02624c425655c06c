import type { Granularity } from '../../../../contract/schemas/memory.ts';
import { dayMs, startOfDayInZone, toWallClock } from '../../../../contract/wall-clock.ts';
import type { Instant } from '../../../ports/index.ts';

/** Days in a row, both inclusive, as their number since 1970-01-01. */
export type DayRange = { from: number; to: number };

/** The same days in a time zone, with the instants at which they begin and end. */
export type ZonedDays = DayRange & { begin: Instant; end: Instant };

/**
 * The number of the day on which the time falls in a time zone; a date alone is the same day in
 * every zone.
 */
export function dayIn(timezone: string, time: Instant): number {
  return dayOf(time.length > 'YYYY-MM-DD'.length ? toWallClock(time, timezone) : time);
}

export function inZone({ from, to }: DayRange, timezone: string): ZonedDays {
  const start = (day: number) => startOfDayInZone(dayToDate(day), timezone);
  return { from, to, begin: start(from), end: start(to + 1) };
}

/**
 * Widens the days so that they also include calendar days without a zone, which are stored as
 * midnights in UTC.
 */
export function widened({ from, to, begin, end }: ZonedDays): { from: Instant; to: Instant } {
  const [first, last] = [dayToInstant(from), dayToInstant(to + 1)];
  return { from: begin < first ? begin : first, to: end > last ? end : last };
}

export function dayOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / dayMs);
}

export function dayToDate(day: number): Date {
  return new Date(day * dayMs);
}

export function dayToInstant(day: number): Instant {
  return dayToDate(day).toISOString();
}

export function singleDay(day: number): DayRange {
  return { from: day, to: day };
}

/** The day, the month or the year. Months count from 0; month 12 is January of the next year. */
export function dayRangeOf(year: number, month?: number, day?: number): DayRange {
  if (month === undefined) return { from: dayNumber(year, 0, 1), to: dayNumber(year + 1, 0, 0) };
  if (day === undefined)
    return { from: dayNumber(year, month, 1), to: dayNumber(year, month + 1, 0) };
  return singleDay(dayNumber(year, month, day));
}

function dayNumber(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month, day) / dayMs);
}

/** The three months of a season that begins with this month. */
export function seasonRangeOf(year: number, month: number): DayRange {
  return { from: dayRangeOf(year, month).from, to: dayRangeOf(year, month + 2).to };
}

/** The days that an event may take: it begins on this day, and its date is known this exactly. */
export function occurrenceRange(from: number, granularity: Granularity): DayRange {
  const date = dayToDate(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (granularity === 'year') return dayRangeOf(year);
  if (granularity === 'season') return seasonRangeOf(year, month);
  if (granularity === 'month') return dayRangeOf(year, month);
  return granularity === 'week' ? { from, to: from + 6 } : singleDay(from);
}

/** Monday to Sunday. */
export function weekRangeOf(day: number): DayRange {
  const monday = day - ((dayToDate(day).getUTCDay() + 6) % 7);
  return { from: monday, to: monday + 6 };
}
