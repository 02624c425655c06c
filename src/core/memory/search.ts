import type { Parsed } from '../../contract/index.ts';
import type { ScoreBreakdown, ScoredMemory } from '../../contract/schemas/memory.ts';
import type { Deps, Project } from '../ports.ts';
import { findCandidates } from '../recall/find.ts';
import { readQuestion, wordsOnly } from '../recall/question.ts';
import { type Ranked, rank } from '../recall/rank.ts';
import { readMemory } from '../recall/readings.ts';
import { selectionOf } from './selection.ts';
import { pickFields, toMemory } from './shape.ts';

/** The memories of the selection that answer the query, best first, at least `threshold` good. */
export async function search(
  deps: Pick<Deps, 'store' | 'clock'>,
  project: Project,
  input: Parsed<'search_memories'>,
): Promise<ScoredMemory[]> {
  const ranked = await rankAll(deps, project, input);
  const best = ranked[0]?.score ?? 0;
  const least = input.filter_memories ? Math.max(input.threshold, best / 2) : input.threshold;
  const hits = ranked.filter(({ score }) => score >= least).slice(0, input.top_k);
  const ids = hits.map(({ id }) => id);
  const found = await deps.store.memories.findMany(project, ids);
  const memories = new Map(found.map((memory) => [memory.id, memory]));
  return hits.flatMap((hit) => {
    // One that another process deleted since the match is no result.
    const memory = memories.get(hit.id);
    if (memory === undefined) return [];
    const shown = pickFields(toMemory(memory), input.fields);
    return [{ ...shown, score: hit.score, ...breakdownOf(hit, input.fields) }];
  });
}

async function rankAll(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  project: Project,
  input: Parsed<'search_memories'>,
): Promise<Ranked[]> {
  const { user_id, agent_id, app_id, run_id, query, reference_date, keyword_search } = input;
  const now = clock.now();
  const read = readQuestion(query, reference_date ?? now);
  const question = keyword_search ? wordsOnly(read) : read;
  const { candidates, contexts } = input.rerank ? efforts.rerank : efforts.usual;
  const reach = {
    limit: Math.max(candidates, input.top_k),
    contexts: keyword_search ? 0 : contexts,
  };
  const within = { tables: store, project, selection: selectionOf(input, now) };
  const found = await findCandidates(within, question, reach);
  const size = await store.memories.size(project, idsOf({ user_id, agent_id, app_id, run_id }));
  const readings = found.map((memory) => readMemory(memory, question));
  return rank(readings, { question, size });
}

/**
 * How many memories are scored, and of how many the context is read as well. `usual` is enough that
 * what belongs on top is among them, and few enough to be scored in milliseconds
 * (test/bench/README.md: 300 and 50 find no more). `rerank` looks further down, for stores in which
 * a question's words are in very many memories.
 */
const efforts = {
  usual: { candidates: 200, contexts: 20 },
  rerank: { candidates: 1000, contexts: 100 },
} as const;

function breakdownOf(
  { parts }: Ranked,
  fields: readonly string[] | undefined,
): { score_breakdown?: ScoreBreakdown } {
  if (fields !== undefined && !fields.includes('score_breakdown')) return {};
  // Nothing offline compares meanings.
  return { score_breakdown: { semantic: 0, ...parts } };
}

function idsOf(ids: Record<string, string | undefined>): Record<string, string> {
  const named = Object.entries(ids).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '*',
  );
  return Object.fromEntries(named);
}
