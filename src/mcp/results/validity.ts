import { isoDayOf } from '../../contract/wall-clock.ts';

/** Says when a fact ends or has ended; empty for a fact without an end. */
export function describeEnd(valid_until: unknown, now = Date.now()): string {
  if (typeof valid_until !== 'string') return '';
  const day = isoDayOf(valid_until);
  return Date.parse(valid_until) <= now ? `no longer valid since ${day}` : `until ${day}`;
}
