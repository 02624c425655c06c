import { vi } from 'vitest';

/** Waits until the check passes, for as long as a busy machine may need: it measures no time. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 30_000, interval: 10 });
}
