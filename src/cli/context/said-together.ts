import { toWallClock } from '../../core/extraction/dates/wall-clock.ts';

/** An add has one time, from which "tomorrow" is counted, and which its memories get. */
const spanMaxSeconds = 60 * 60;

/**
 * Tells whether two turns may share an add: said on one day in the zone and within an hour, or both
 * at an unknown time. Times are in Unix seconds.
 */
export function saidTogether(first: number | null, at: number | null, timezone: string): boolean {
  if (first === null || at === null) return first === at;
  const isSoon = Math.abs(at - first) <= spanMaxSeconds;
  return isSoon && dayOf(first, timezone) === dayOf(at, timezone);
}

function dayOf(at: number, timezone: string): string {
  return toWallClock(new Date(at * 1000).toISOString(), timezone).slice(0, 10);
}

/** The `timestamp` of an add, if its time is known: nothing was said after today, as files may say. */
export function saidAt(at: number | null): { timestamp?: number } {
  return at === null ? {} : { timestamp: Math.min(at, Math.floor(Date.now() / 1000)) };
}
