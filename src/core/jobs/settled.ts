import { ApiError } from '../../contract/errors.ts';
import type { Deps, Project, StoredEvent } from '../ports.ts';

type Wait = { project: Project; event_id: string; signal?: AbortSignal };

/**
 * Waits until an event has succeeded or failed, and answers it; past a minute, answers it as it is.
 * Mostly this process does the work, and knows when it is done; any other may be doing it, so the
 * store is asked as well, at growing intervals.
 */
export async function settled(
  { store, endings }: Pick<Deps, 'store' | 'endings'>,
  { project, event_id, signal }: Wait,
): Promise<StoredEvent> {
  let pauseMs = pauseMinMs;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    signal?.throwIfAborted();
    await endings.next(event_id, pauseMs);
    const event = await store.events.find(project, event_id);
    if (event === null) throw new ApiError('not_found', 'event not found');
    if (event.status === 'SUCCEEDED' || event.status === 'FAILED') return event;
    if (waitedMs > waitMaxMs) return event;
    pauseMs = Math.min(pauseMs * 2, pauseMaxMs);
  }
}

const waitMaxMs = 60_000;
const pauseMinMs = 20;
const pauseMaxMs = 250;
