import { reasonOf } from '../../../contract/errors.ts';
import type { Deps, StoredMemory } from '../../ports/index.ts';
import { rerankWeight } from '../weights.ts';
import { roundScore, type ScoredCandidate } from './scored-candidate.ts';

type RerankOptions = {
  query: string;
  /** Of the first ones, whose texts are read. */
  memories: ReadonlyMap<string, StoredMemory>;
  signal: AbortSignal | undefined;
};

/**
 * Has a model read the question with each of the memories. Half of the new score is its judgement;
 * those that it is not shown count as if it found nothing in them. Without an answer of the model
 * all stays as it is, and `warning` says so.
 */
export async function rerankCandidates(
  { reranker, log }: Pick<Deps, 'reranker' | 'log'>,
  ranked: readonly ScoredCandidate[],
  { query, memories, signal }: RerankOptions,
): Promise<{ ranked: readonly ScoredCandidate[]; warning: string | null }> {
  const shown = ranked.flatMap(({ id }) => memories.get(id) ?? []);
  if (reranker === undefined || shown.length === 0) return { ranked, warning: null };
  const texts = shown.map(({ memory }) => memory);
  try {
    const shares = await reranker.rerank(query, texts, signal === undefined ? {} : { signal });
    const byId = new Map(shown.map(({ id }, index) => [id, shares[index] ?? 0]));
    const judged = ranked.map((one) => blendRerankScore(one, byId.get(one.id) ?? 0));
    return { ranked: judged.sort((one, other) => other.score - one.score), warning: null };
  } catch (error) {
    if (signal?.aborted) throw error;
    log('warn', 'reranker failed: results not reranked', { error: reasonOf(error) });
    return { ranked, warning: 'The reranker does not respond: results were not reranked.' };
  }
}

function blendRerankScore({ id, score, parts }: ScoredCandidate, share: number): ScoredCandidate {
  const kept = 1 - rerankWeight;
  const { semantic, keyword, entity, temporal } = parts;
  return {
    id,
    score: roundScore(score * kept + share * rerankWeight),
    parts: {
      semantic: roundScore(semantic * kept + share * rerankWeight),
      keyword: roundScore(keyword * kept),
      entity: roundScore(entity * kept),
      temporal: roundScore(temporal * kept),
    },
  };
}
