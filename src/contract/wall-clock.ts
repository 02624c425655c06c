/** An instant is ISO 8601 in UTC with milliseconds, a day YYYY-MM-DD. */

export const dayMs = 24 * 60 * 60 * 1000;

/** The day with which an instant begins. */
export function isoDayOf(instant: string): string {
  return instant.slice(0, 'YYYY-MM-DD'.length);
}

/**
 * What clocks in a zone show at an instant, written as an instant of UTC: readers of dates compute
 * with it as if there were no zones. Throws `RangeError` for an unknown zone.
 */
export function toWallClock(instant: string, timezone: string): string {
  if (timezone === 'UTC') return instant;
  const ms = Date.parse(instant);
  return new Date(ms + zoneOffsetAt(ms, timezone)).toISOString();
}

/** The day that calendars in a zone show at an instant. */
export function dayInZone(instant: string, timezone: string): string {
  return isoDayOf(toWallClock(instant, timezone));
}

/** When the day begins in a zone whose clocks are set at `midnight` of UTC for it. */
export function startOfDayInZone(midnight: Date, timezone: string): string {
  if (timezone === 'UTC') return midnight.toISOString();
  const wall = midnight.getTime();
  // Clocks may be changed on that day, at midnight too: the first instant that is on it.
  const begins = [-dayMs, dayMs]
    .map((apart) => wall - zoneOffsetAt(wall + apart, timezone))
    .sort((one, other) => one - other);
  const first = begins.find((at) => at + zoneOffsetAt(at, timezone) >= wall) ?? wall;
  return new Date(first).toISOString();
}

/** The instants when a day begins and when it is over, in a zone. */
export function instantsOfDay(day: string, timezone: string): { begin: string; end: string } {
  const start = (ms: number) => {
    const instant = startOfDayInZone(new Date(ms), timezone);
    return instant.startsWith('+') ? lastInstant : instant;
  };
  const midnight = Date.parse(day);
  return { begin: start(midnight), end: start(midnight + dayMs) };
}

/** Instants compare as text: those of later years would come first. */
const lastInstant = '9999-12-31T23:59:59.999Z';

/** `Date.UTC` takes years below 100 for those of the last century, and zones are younger. */
const firstZoned = Date.UTC(100, 1);

/** In milliseconds, east of UTC. */
export function zoneOffsetAt(ms: number, timezone: string): number {
  if (ms < firstZoned) return 0;
  const parts = Object.fromEntries(
    clockOf(timezone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const [month, day] = [Number(parts.month) - 1, Number(parts.day)];
  const [hour, minute, second] = [Number(parts.hour), Number(parts.minute), Number(parts.second)];
  const wall = Date.UTC(Number(parts.year), month, day, hour, minute, second);
  return wall - Math.floor(ms / 1000) * 1000;
}

/** One takes some 50 microseconds to make. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** A name may be written in capital letters or not, so that callers could send any number. */
export const clocksMax = 100;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const cached = clocks.get(timeZone);
  if (cached !== undefined) return cached;
  const calendar = { timeZone, calendar: 'gregory', numberingSystem: 'latn' };
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hourCycle: 'h23', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const clock = new Intl.DateTimeFormat('en-US', { ...calendar, ...day, ...time } as const);
  if (clocks.size >= clocksMax) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}

/** How many zones are kept ready. */
export function clocksKept(): number {
  return clocks.size;
}
