import type { Instant } from '../ports/index.ts';

/** The instant so many milliseconds after another; before it when they are negative. */
export function addMs(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString();
}
