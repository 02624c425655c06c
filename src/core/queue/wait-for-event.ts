import { ApiError } from '../../contract/errors.ts';
import type { Deps, ProjectRef, StoredEvent } from '../ports/index.ts';

type WaitForEventOptions = {
  project: ProjectRef;
  event_id: string;
  wait_ms: number;
  signal?: AbortSignal;
};

/**
 * Returns the event once it has succeeded or failed; null if that takes longer than `wait_ms`. This
 * process usually does the work and knows when it is done. Another process may be doing it, so the
 * store is polled as well, at growing intervals.
 */
export async function waitForEvent(
  { store, completions }: Pick<Deps, 'store' | 'completions'>,
  { project, event_id, wait_ms, signal }: WaitForEventOptions,
): Promise<StoredEvent | null> {
  let waitedMs = 0;
  for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    signal?.throwIfAborted();
    const waitMs = Math.min(pauseMs, wait_ms - waitedMs);
    await completions.waitFor(event_id, waitMs);
    const event = await store.events.find(project, event_id);
    if (event === null) throw new ApiError('not_found', 'event not found');
    if (event.status === 'SUCCEEDED' || event.status === 'FAILED') return event;
    waitedMs += waitMs;
    if (waitedMs >= wait_ms) return null;
  }
}

const pauseMinMs = 20;
const pauseMaxMs = 250;
