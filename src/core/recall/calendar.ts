import type { Granularity } from '../../contract/schemas/memory.ts';
import type { Instant } from '../ports.ts';

/** Days in a row, both inclusive, as their number since 1970-01-01, in UTC. */
export type Days = { from: number; to: number };

const dayMs = 24 * 60 * 60 * 1000;

export function dayOf(instant: Instant): number {
  return Math.floor(Date.parse(instant) / dayMs);
}

export function toDate(day: number): Date {
  return new Date(day * dayMs);
}

export function toInstant(day: number): Instant {
  return toDate(day).toISOString();
}

export function oneDay(day: number): Days {
  return { from: day, to: day };
}

/** The day, or the month, or the year. Months count from 0; those beyond the year are of others. */
export function daysOf(year: number, month?: number, day?: number): Days {
  if (month === undefined) return { from: dayAt(year, 0, 1), to: dayAt(year + 1, 0, 0) };
  if (day === undefined) return { from: dayAt(year, month, 1), to: dayAt(year, month + 1, 0) };
  return oneDay(dayAt(year, month, day));
}

function dayAt(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month, day) / dayMs);
}

/** The three months of a season, whose first one this is. */
export function seasonOf(year: number, month: number): Days {
  return { from: daysOf(year, month).from, to: daysOf(year, month + 2).to };
}

/** How long what happens may take, as far as is known, from the day on which that begins. */
export function spanOf(from: number, granularity: Granularity): Days {
  const date = toDate(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (granularity === 'year') return daysOf(year);
  if (granularity === 'season') return seasonOf(year, month);
  if (granularity === 'month') return daysOf(year, month);
  return granularity === 'week' ? { from, to: from + 6 } : oneDay(from);
}

/** Monday to Sunday. */
export function weekOf(day: number): Days {
  const monday = day - ((toDate(day).getUTCDay() + 6) % 7);
  return { from: monday, to: monday + 6 };
}
