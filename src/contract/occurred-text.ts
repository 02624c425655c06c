import { toWallClock } from './wall-clock.ts';

/** The time of an event, as precisely as it is known: minute, day, month or year in ISO 8601. */
export function occurredText(
  occurred_at: string,
  granularity: string | null,
  timezone: string,
): string {
  const isInstant = granularity === 'minute' && !Number.isNaN(Date.parse(occurred_at));
  const time = isInstant ? toWallClock(new Date(occurred_at).toISOString(), timezone) : occurred_at;
  const written = time.slice(0, granularityChars[granularity ?? 'day'] ?? 'YYYY-MM-DD'.length);
  const isSpan = granularity === 'week' || granularity === 'season';
  return isSpan ? `${granularity} of ${written}` : written;
}

const granularityChars: Readonly<Record<string, number>> = {
  minute: 'YYYY-MM-DDTHH:MM'.length,
  month: 'YYYY-MM'.length,
  season: 'YYYY-MM'.length,
  year: 'YYYY'.length,
};
