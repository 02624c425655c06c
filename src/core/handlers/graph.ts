import { dayInZone } from '../../contract/wall-clock.ts';
import type { Deps, Handlers } from '../ports/index.ts';

export function createGraphHandlers(deps: Deps): Pick<Handlers, 'list_relations'> {
  const { store, clock } = deps;
  return {
    list_relations: async ({ entity, user_id, limit }, { project }) => {
      const day = dayInZone(clock.now(), deps.timezone ?? 'UTC');
      const query = { entity, user_id, limit: limit + 1, day };
      const relations = await store.relations.listNewest(project, query);
      return { results: relations.slice(0, limit), has_more: relations.length > limit };
    },
  };
}
