import { ApiError } from '../../contract/errors.ts';
import type { Event } from '../../contract/schemas/event.ts';
import { lockedEntities } from '../../contract/scope/memory-scope.ts';
import type { Deps, Handlers, StoredEvent } from '../ports/index.ts';

export function createEventHandlers({ store }: Deps): Pick<Handlers, 'list_events' | 'get_event'> {
  return {
    list_events: async (query, { project, caller }) => {
      const { page, page_size } = query;
      const owners = lockedEntities(caller);
      const { results, total } = await store.events.list(project, { ...query, owners });
      return { results: results.map(toEvent), total, page, page_size };
    },

    get_event: async ({ event_id }, { project }) => {
      const event = await store.events.find(project, event_id);
      if (event === null) throw new ApiError('not_found', 'event not found');
      return toEvent(event);
    },
  };
}

function toEvent({
  user_id: _u,
  agent_id: _a,
  app_id: _p,
  run_id: _r,
  ...event
}: StoredEvent): Event {
  return event;
}
