import { isoDayOf } from '../../contract/wall-clock.ts';

/** What a reader has to know of a fact that ends, or has ended; empty if it is open. */
export function describeEnd(valid_until: unknown, now = Date.now()): string {
  if (typeof valid_until !== 'string') return '';
  const day = isoDayOf(valid_until);
  return Date.parse(valid_until) <= now ? `no longer valid since ${day}` : `until ${day}`;
}
