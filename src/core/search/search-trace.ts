import type { ExplainSource, ExplainStep } from '../../contract/schemas/search.ts';
import type { Parsed } from '../../contract.ts';
import type { ScoredCandidate } from './rank/scored-candidate.ts';

/** The memories that one stage of a search found or kept. */
export type TracedStage = {
  stage: ExplainSource | ExplainStep;
  /** The question of this stage; null for stages that handle the results of all questions. */
  query: string | null;
  limit: number | null;
  memories: ReadonlyMap<string, TracedScore | null>;
};
type TracedScore = Pick<ScoredCandidate, 'score' | 'parts'>;

/** The stages of a search to explain, in order. Other searches have no trace. */
export type SearchTrace = TracedStage[];

export function isExplained(
  input: Pick<Parsed<'search_memories'>, 'explain' | 'explain_id'>,
): boolean {
  return input.explain || input.explain_id !== undefined;
}

export function tracedStage(
  stage: TracedStage['stage'],
  memories: Iterable<{ id: string } & Partial<TracedScore>>,
  { query = null, limit = null }: Partial<Pick<TracedStage, 'query' | 'limit'>> = {},
): TracedStage {
  const scores = [...memories].map(({ id, score, parts }): [string, TracedScore | null] => {
    return [id, score === undefined || parts === undefined ? null : { score, parts }];
  });
  return { stage, query, limit, memories: new Map(scores) };
}
