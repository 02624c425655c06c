import { reasonOf } from '../../../contract/errors.ts';
import type { Deps, StoredMemory } from '../../ports/index.ts';
import { rerankWeight } from '../weights.ts';
import { roundScore, type ScoredCandidate } from './scored-candidate.ts';

type RerankOptions = {
  query: string;
  /** The first candidates by id: the model reads their texts. */
  memories: ReadonlyMap<string, StoredMemory>;
  signal: AbortSignal | undefined;
};

/**
 * Has a model read the question with each of the memories. Half of the new score is its judgement;
 * candidates that it does not read count as if it found nothing in them. If the model does not
 * answer, the order stays as it is, and `warning` says so.
 */
export async function rerankCandidates(
  { reranker, log }: Pick<Deps, 'reranker' | 'log'>,
  ranked: readonly ScoredCandidate[],
  { query, memories, signal }: RerankOptions,
): Promise<{ ranked: readonly ScoredCandidate[]; warning: string | null }> {
  const candidates = ranked.flatMap(({ id }) => memories.get(id) ?? []);
  if (reranker === undefined || candidates.length === 0) return { ranked, warning: null };
  const texts = candidates.map(({ memory }) => memory);
  try {
    const shares = await reranker.rerank(query, texts, signal === undefined ? {} : { signal });
    const byId = new Map(candidates.map(({ id }, index) => [id, shares[index] ?? 0]));
    const judged = ranked.map((one) => blendRerankScore(one, byId.get(one.id) ?? 0));
    return { ranked: judged.sort((one, other) => other.score - one.score), warning: null };
  } catch (error) {
    if (signal?.aborted) throw error;
    log('warn', 'reranker failed: results not reranked', { error: reasonOf(error) });
    return { ranked, warning: 'The reranker does not respond: results were not reranked.' };
  }
}

function blendRerankScore({ id, score, parts }: ScoredCandidate, share: number): ScoredCandidate {
  const ownWeight = 1 - rerankWeight;
  const { semantic, keyword, entity, temporal } = parts;
  return {
    id,
    score: roundScore(score * ownWeight + share * rerankWeight),
    parts: {
      semantic: roundScore(semantic * ownWeight + share * rerankWeight),
      keyword: roundScore(keyword * ownWeight),
      entity: roundScore(entity * ownWeight),
      temporal: roundScore(temporal * ownWeight),
    },
  };
}
