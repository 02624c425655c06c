import { occurredText } from '../../contract/occurred-text.ts';
import { dayInZone, toWallClock } from '../../contract/wall-clock.ts';
import { viewer } from './session.ts';

/** The service's: days in filters, and those of questions, are counted in it. */
function zone(): string {
  return viewer.value?.timezone ?? 'UTC';
}

/** An instant for people: its day and minute, and whose they are where that is UTC. */
export function minuteOf(instant: string): string {
  const minute = toWallClock(instant, zone()).slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return minute.replace('T', ' ') + (zone() === 'UTC' ? ' UTC' : '');
}

export function shownDay(instant: string): string {
  return dayInZone(instant, zone());
}

export function today(): string {
  return shownDay(new Date().toISOString());
}

/** When an event happened, as precisely as it is known. */
export function eventTime(occurred_at: string, granularity: string | null): string {
  return occurredText(occurred_at, granularity, zone()).replace('T', ' ');
}
