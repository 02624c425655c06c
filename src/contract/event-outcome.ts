import type { Event } from './schemas/event.ts';

/** What a write that has ended did, in one line. */
export function outcomeMessage({
  status,
  error,
  results,
}: Pick<Event, 'status' | 'error' | 'results'>): string {
  if (status === 'FAILED') {
    const stored = results.length === 0 ? 'Nothing' : 'Only part';
    return `${stored} was stored: ${error ?? 'processing failed'}`;
  }
  const isChanged = results.some(({ event }) => event !== 'NOOP');
  return isChanged ? 'Memories stored' : 'Nothing new to store';
}
