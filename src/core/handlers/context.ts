import { selectionOf } from '../memory/selection.ts';
import type { Deps, Handlers } from '../ports/index.ts';
import { recordRead } from './memories.ts';
import { readPast } from './read-past.ts';

export function createContextHandlers(deps: Deps): Pick<Handlers, 'get_context'> {
  return {
    get_context: async (input, call) => {
      const { buildContext } = await import('../context/build-context.ts'); // few read contexts
      const since = deps.clock.now();
      const past = await readPast(deps, call.project, input);
      const selection = selectionOf(input, past?.as_of ?? since);
      const at = past === null ? deps : await past.depsFor(selection);
      const answer = await buildContext(at, call, { ...input, selection });
      const results = answer.blocks.reduce((count, { memory_ids }) => count + memory_ids.length, 0);
      const metadata = { results, tokens: answer.used };
      const { messages: _, ...asked } = input;
      const read = { event_type: 'SEARCH', input: asked, selection, metadata, since } as const;
      recordRead(deps, call.project, read);
      return answer;
    },
  };
}
