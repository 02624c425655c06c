import type { Parsed } from '../../contract/index.ts';
import type { ScoredMemory } from '../../contract/schemas/memory.ts';
import type { Deps, Project } from '../ports.ts';
import { analyzeQuery } from './analyze.ts';
import { rank } from './rank.ts';
import { selectionOf } from './selection.ts';
import { pickFields, toMemory } from './shape.ts';

/** The memories of the selection that answer the query, best first, at least `threshold` good. */
export async function search(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  project: Project,
  input: Parsed<'search_memories'>,
): Promise<ScoredMemory[]> {
  const { user_id, agent_id, app_id, run_id } = input;
  const terms = analyzeQuery(input.query);
  const selection = selectionOf(input, clock.now());
  const limit = Math.max(candidatesMin, input.top_k);
  const candidates = await store.memories.candidates(project, selection, { terms, limit });
  const size = await store.memories.size(project, idsOf({ user_id, agent_id, app_id, run_id }));

  const ranked = rank(candidates, { terms, size });
  const best = ranked[0]?.score ?? 0;
  const least = input.filter_memories ? Math.max(input.threshold, best / 2) : input.threshold;
  const hits = ranked.filter(({ score }) => score >= least).slice(0, input.top_k);
  const ids = hits.map(({ id }) => id);
  const found = await store.memories.findMany(project, ids);
  const memories = new Map(found.map((memory) => [memory.id, memory]));
  return hits.flatMap(({ id, score }) => {
    // One that another process deleted since the match is no result.
    const memory = memories.get(id);
    return memory === undefined ? [] : [{ ...pickFields(toMemory(memory), input.fields), score }];
  });
}

/**
 * Enough that what belongs on top is among them, few enough to be read and scored in a millisecond
 * (test/bench/README.md: 1,000 find no more and cost twice as much).
 */
const candidatesMin = 300;

function idsOf(ids: Record<string, string | undefined>): Record<string, string> {
  const named = Object.entries(ids).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '*',
  );
  return Object.fromEntries(named);
}
