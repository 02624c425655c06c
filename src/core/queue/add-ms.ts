import type { Instant } from '../ports/index.ts';

/** The instant `ms` milliseconds later, or earlier if negative. */
export function addMs(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString();
}
