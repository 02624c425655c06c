import type { Instant } from '../ports.ts';

/** The instant so many milliseconds after another; before it when they are negative. */
export function later(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString();
}
