import type { Deps, Handlers } from '../ports/index.ts';

export function createGraphHandlers({ store, clock }: Deps): Pick<Handlers, 'list_relations'> {
  return {
    list_relations: async ({ entity, user_id, limit }, { project }) => {
      const query = { entity, user_id, limit: limit + 1, day: clock.now().slice(0, 10) };
      const found = await store.relations.listNewest(project, query);
      return { results: found.slice(0, limit), has_more: found.length > limit };
    },
  };
}
