import type { recalls } from '../../contract/operations/recalls.ts';
import type { Deps, Handlers } from '../ports/index.ts';

/** Loaded with the first call, because few look back. */
export function createRecallHandlers(deps: Deps): Pick<Handlers, keyof typeof recalls> {
  return {
    list_recalls: async (input, call) => {
      const { listRecalls } = await import('../recalls/list-recalls.ts');
      return listRecalls(deps, input, call);
    },
    replay_recall: async (input, call) => {
      const { replayRecall } = await import('../recalls/replay.ts');
      return replayRecall(deps, input, call);
    },
  };
}
