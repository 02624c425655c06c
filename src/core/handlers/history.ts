import { readHistory } from '../history/read-history.ts';
import { memoryNotFound } from '../memory/not-found.ts';
import { toMemory } from '../memory/shape.ts';
import type { Deps, Handlers } from '../ports/index.ts';

type HistoryOperation = 'get_history' | 'get_versions' | 'list_history';

export function createHistoryHandlers({ store }: Deps): Pick<Handlers, HistoryOperation> {
  return {
    get_history: async ({ memory_id }, { project }) => {
      const results = await readHistory(store, project, memory_id);
      if (results.length === 0) throw memoryNotFound();
      return { results };
    },

    get_versions: async ({ memory_id }, { project }) => {
      const versions = await store.versions.listVersions(project, [memory_id]);
      if (versions.length === 0) throw memoryNotFound();
      const results = versions.map(({ memory, recorded_by: _, ended_by: __, ...times }) => ({
        ...toMemory(memory, memory.may_replace), // as it was stored then
        ...times,
      }));
      return { results };
    },

    list_history: async ({ user_id, agent_id, app_id, run_id, page, page_size }, { project }) => {
      const ids = { user_id, agent_id, app_id, run_id };
      const changes = await store.history.listNewest(project, { ids, page, page_size });
      return { ...changes, page, page_size };
    },
  };
}
