import type { Instant, Occurrence } from '../../ports/index.ts';

/**
 * What clocks in a zone show at an instant, written as an instant of UTC: readers of dates compute
 * with it as if there were no zones. Throws `RangeError` for an unknown zone.
 */
export function toWallClock(instant: Instant, timezone: string): Instant {
  if (timezone === 'UTC') return instant;
  return new Date(Date.parse(instant) + offsetAt(Date.parse(instant), timezone)).toISOString();
}

/** The day that calendars in a zone show at an instant, as YYYY-MM-DD. */
export function dayInZone(instant: Instant, timezone: string): string {
  return toWallClock(instant, timezone).slice(0, 'YYYY-MM-DD'.length);
}

/** When the day begins in a zone whose clocks are set at `midnight` of UTC for it. */
export function startOfDayInZone(midnight: Date, timezone: string): Instant {
  if (timezone === 'UTC') return midnight.toISOString();
  const wall = midnight.getTime();
  // Clocks may be changed on that day, at midnight too: the first instant that is on it.
  const begins = [-dayMs, dayMs]
    .map((apart) => wall - offsetAt(wall + apart, timezone))
    .sort((one, other) => one - other);
  const first = begins.find((at) => at + offsetAt(at, timezone) >= wall) ?? wall;
  return new Date(first).toISOString();
}

const dayMs = 24 * 60 * 60 * 1000;

/** A time of day becomes the instant; days and longer periods are the same in every zone. */
export function occurrenceInZone(occurred: Occurrence, timezone: string): Occurrence {
  if (timezone === 'UTC' || occurred.granularity !== 'minute') return occurred;
  const wall = Date.parse(occurred.at);
  const guess = wall - offsetAt(wall, timezone);
  // Between the guess and the instant the clocks may have been changed.
  return { ...occurred, at: new Date(wall - offsetAt(guess, timezone)).toISOString() };
}

/** In milliseconds, east of UTC. */
function offsetAt(ms: number, timezone: string): number {
  const format = formats.get(timezone) ?? formatOf(timezone);
  formats.set(timezone, format);
  const parts = Object.fromEntries(
    format.formatToParts(ms).map(({ type, value }) => [type, value]),
  );
  const [month, day] = [Number(parts.month) - 1, Number(parts.day)];
  const [hour, minute, second] = [Number(parts.hour), Number(parts.minute), Number(parts.second)];
  const wall = Date.UTC(Number(parts.year), month, day, hour, minute, second);
  return wall - Math.floor(ms / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const calendar = { timeZone, calendar: 'gregory', numberingSystem: 'latn' };
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', { ...calendar, ...day, ...time } as const);
}
