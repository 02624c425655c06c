/** An add has one time, from which "tomorrow" is counted, and which its memories get. */
const spanMaxSeconds = 60 * 60;

/**
 * Tells whether two turns may share an add: said on one day in the zone and within an hour, or both
 * at an unknown time. Times are in Unix seconds.
 */
export function saidTogether(first: number | null, at: number | null, timezone: string): boolean {
  if (first === null || at === null) return first === at;
  const isSoon = Math.abs(at - first) <= spanMaxSeconds;
  if (!isSoon) return false;
  const day = new Intl.DateTimeFormat('en', { timeZone: timezone, dateStyle: 'short' });
  return day.format(first * 1000) === day.format(at * 1000);
}

/** The `timestamp` of an add, if its time is known: files may name days that are still to come. */
export function timestampOf(at: number | null): { timestamp?: number } {
  return at === null ? {} : { timestamp: Math.min(at, Math.floor(Date.now() / 1000)) };
}
