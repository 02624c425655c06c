import type { Deps, Handlers } from '../ports/index.ts';

export function createIdHandlers({ store }: Deps): Pick<Handlers, 'resolve_ids'> {
  return {
    resolve_ids: async ({ kind, short_ids, ...ids }, { project }) => ({
      results: await store.shortIds.find(project, kind, { short_ids, ids }),
    }),
  };
}
