import type { reviews } from '../../contract/operations/reviews.ts';
import type { Parsed } from '../../contract.ts';
import { conflictsOf } from '../memory/resolve-conflicts.ts';
import { selectionOf } from '../memory/selection.ts';
import { toMemory } from '../memory/shape.ts';
import type { Deps, Handlers, Instant, Selection } from '../ports/index.ts';

export function createReviewHandlers(deps: Deps): Pick<Handlers, keyof typeof reviews> {
  const { store, clock } = deps;

  return {
    list_reviews: async (input, { project }) => {
      const { page, page_size } = input;
      const selection = selectWaiting(input, clock.now(), deps);
      const { results, total } = await store.memories.list(project, selection, { page, page_size });
      const ids = new Set(results.flatMap(({ supersedes }) => supersedes ?? []));
      const superseded = await store.memories.findMany(project, [...ids]);
      const supersededById = new Map(superseded.map(({ id, memory }) => [id, { id, memory }]));
      const conflicts = await conflictsOf(deps, project, { of: results });
      const waiting = results.map((memory) => ({
        ...toMemory(memory, conflicts.get(memory.id)),
        review_reason: memory.review_reason,
        supersedes: supersededById.get(memory.supersedes ?? '') ?? null,
      }));
      return { results: waiting, total, page, page_size };
    },

    review_memory: async (input, call) => {
      const { reviewMemory } = await import('../memory/review.ts'); // few memories wait
      return reviewMemory(deps, input, call);
    },
  };
}

function selectWaiting(
  { status, source_class, review_reason, ...ids }: Parsed<'list_reviews'>,
  now: Instant,
  zone: Pick<Deps, 'timezone'>,
): Selection {
  const filters = {
    ...(status !== undefined && { status }),
    ...(source_class !== undefined && { source_class }),
  };
  const selection = selectionOf({ ...ids, filters }, now, zone);
  return { ...selection, status: 'waiting', ...(review_reason && { review_reason }) };
}
