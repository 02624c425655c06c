import { zoneOffsetAt } from '../../../contract/wall-clock.ts';
import type { Occurrence } from '../../ports/index.ts';

/** A time of day becomes the instant; days and longer periods are the same in every zone. */
export function occurrenceInZone(occurred: Occurrence, timezone: string): Occurrence {
  if (timezone === 'UTC' || occurred.granularity !== 'minute') return occurred;
  const wall = Date.parse(occurred.at);
  const guess = wall - zoneOffsetAt(wall, timezone);
  // Between the guess and the instant the clocks may have been changed.
  return { ...occurred, at: new Date(wall - zoneOffsetAt(guess, timezone)).toISOString() };
}
