import { type RawBuilder, sql } from 'kysely';
import type { DayStart, Instant } from '../../core/ports/index.ts';

/** When the first of these days begins. */
export function beginOf([first]: readonly DayStart[]): Instant {
  if (first === undefined) throw new Error('no day to count');
  return first.begin;
}

/**
 * Which of these days `created_at` is on, the last one without an end. Halves the days again and
 * again, so that a row costs as many comparisons as the number of days has digits in binary.
 */
export function dayColumn(days: readonly DayStart[]): RawBuilder<string> {
  const middle = days.length >> 1;
  const later = days[middle];
  if (later === undefined) throw new Error('no day to count');
  if (middle === 0) return sql<string>`${later.day}`;
  const [before, after] = [dayColumn(days.slice(0, middle)), dayColumn(days.slice(middle))];
  return sql<string>`case when created_at < ${later.begin} then ${before} else ${after} end`;
}
