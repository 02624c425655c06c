import { ApiError } from '../../contract/errors.ts';
import type { Deps, Project, StoredEvent } from '../ports.ts';

type Wait = { project: Project; event_id: string; signal?: AbortSignal };

/**
 * Waits until an event has succeeded or failed, and answers it; past a minute, answers it as it is.
 * Any process may be doing the work, so the store is asked, at growing intervals.
 */
export async function settled(
  { store }: Pick<Deps, 'store'>,
  { project, event_id, signal }: Wait,
): Promise<StoredEvent> {
  let pauseMs = 2;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    signal?.throwIfAborted();
    const event = await store.events.find(project, event_id);
    if (event === null) throw new ApiError('not_found', 'event not found');
    if (event.status === 'SUCCEEDED' || event.status === 'FAILED') return event;
    if (waitedMs > waitMaxMs) return event;
    await new Promise((resume) => setTimeout(resume, pauseMs));
    pauseMs = Math.min(pauseMs * 2, pauseMaxMs);
  }
}

const waitMaxMs = 60_000;
const pauseMaxMs = 250;
