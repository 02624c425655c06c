import { occurredText } from '../../contract/occurred-text.ts';
import { dayInZone, startOfDayInZone, toWallClock } from '../../contract/wall-clock.ts';
import { viewer } from './session.ts';

/** The time zone of the service: days in filters and questions are counted in it. */
function zone(): string {
  return viewer.value?.timezone ?? 'UTC';
}

/** An instant for people: its day and minute, with the zone if that is UTC. */
export function minuteOf(instant: string): string {
  const minute = toWallClock(instant, zone()).slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return minute.replace('T', ' ') + (zone() === 'UTC' ? ' UTC' : '');
}

export function shownDay(instant: string): string {
  return dayInZone(instant, zone());
}

/** The instant when the service's clocks first show a day and a time of day. */
export function instantOf(day: string, time: string): string {
  return startOfDayInZone(new Date(`${day}T${time}Z`), zone());
}

/** The time of day of an instant, `09:30`, by the service's clocks. */
export function timeOf(instant: string): string {
  return toWallClock(instant, zone()).slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length);
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}

/** A time as the API takes it, for people: a day, an instant or the name of a snapshot. */
export function timeWords(text: string): string {
  return isInstant(text) ? minuteOf(text) : text;
}

export function isInstant(text: string): boolean {
  return !isDay(text) && /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The day of a time as the API takes it; null for the name of a snapshot. */
export function dayOfTime(text: string): string | null {
  if (isDay(text)) return text;
  return isInstant(text) ? shownDay(new Date(text).toISOString()) : null;
}

export function today(): string {
  return shownDay(new Date().toISOString());
}

/** When an event happened, as precisely as it is known. */
export function eventTime(occurred_at: string, granularity: string | null): string {
  return occurredText(occurred_at, granularity, zone()).replace('T', ' ');
}
