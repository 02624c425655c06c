import type { Clock } from '../../src/core/ports/index.ts';

/** A clock that moves only when it is told to. */
export type TestClock = Clock & { set(instant: string): void; advance(ms: number): void };

export function createTestClock(start = '2026-03-14T09:26:53.000Z'): TestClock {
  let now = Date.parse(start);
  return {
    now: () => new Date(now).toISOString(),
    set: (instant) => {
      now = Date.parse(instant);
    },
    advance: (ms) => {
      now += ms;
    },
  };
}
