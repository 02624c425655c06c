import { selectionOf } from '../memory/selection.ts';
import type { Deps, Handlers } from '../ports/index.ts';
import { recordRead } from './memories.ts';

export function createContextHandlers(deps: Deps): Pick<Handlers, 'get_context'> {
  return {
    get_context: async (input, call) => {
      const { buildContext } = await import('../context/build-context.ts'); // few read contexts
      const since = deps.clock.now();
      const selection = selectionOf(input, since);
      const answer = await buildContext(deps, call, { ...input, selection });
      const results = answer.blocks.reduce((count, { memory_ids }) => count + memory_ids.length, 0);
      const metadata = { results, tokens: answer.used };
      const { messages: _, ...asked } = input;
      const read = { event_type: 'SEARCH', input: asked, selection, metadata, since } as const;
      recordRead(deps, call.project, read);
      return answer;
    },
  };
}
