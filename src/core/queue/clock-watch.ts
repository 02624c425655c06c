import type { Instant } from '../ports/index.ts';

/** The clocks of several machines differ; less than this ahead is not a clock that stepped back. */
export const clockSkewMaxMs = 60_000;

/**
 * Runs `recover` before the first work of a process, and whenever its clock has stepped back: times
 * that were written before are then ahead. A recovery that fails is repeated.
 */
export function createClockWatch(
  recover: (now: Instant) => Promise<void>,
): (now: Instant) => Promise<void> {
  let last: Instant | null = null;
  return async (now) => {
    if (last === null || now < last) await recover(now);
    last = now;
  };
}
