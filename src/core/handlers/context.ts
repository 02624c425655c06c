import { askedIn } from '../context/asked-in.ts';
import { selectionOf } from '../memory/selection.ts';
import type { Deps, Handlers, Instant } from '../ports/index.ts';
import { recallOf } from '../recalls/recall-of.ts';
import { readAt } from '../versions/read-past.ts';
import { recordRead } from './memories.ts';

export function createContextHandlers(deps: Deps): Pick<Handlers, 'get_context'> {
  return {
    get_context: async ({ messages = [], query, ...rest }, call) => {
      // Few read contexts.
      const { buildContext } = await import('../context/build-context.ts');
      const { questionOf } = await import('../context/question-of.ts');
      const since = deps.clock.now();
      const question = query === undefined ? questionOf(messages) : await askedIn(query);
      const input = { ...rest, ...(question !== null && { query: question }) };
      const select = (now: Instant) => selectionOf(input, now, deps);
      const { at, selection, past } = await readAt(deps, call.project, { input, select });
      const { answer, scores } = await buildContext(at, call, { ...input, selection });
      const ids = answer.blocks.flatMap(({ memory_ids }) => memory_ids);
      const metadata = { results: ids.length, tokens: answer.used };
      const recall = await recallOf(deps, call.project, () => ({
        operation: 'get_context',
        selection,
        past,
        since,
        answer: answer.text,
        input,
        hits: ids.map((id) => ({ id, score: scores.get(id) ?? null })),
      }));
      const read = { operation: 'get_context', selection, metadata, since, recall } as const;
      recordRead(deps, call.project, { ...read, input: query === undefined ? rest : input });
      return answer;
    },
  };
}
