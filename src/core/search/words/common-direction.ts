import type { Candidate, QueryEmbedding } from '../../ports/index.ts';
import { type PendingEmbedding, searchVectors } from '../search-vectors.ts';
import { addDenseCandidates, type DenseCandidates } from '../semantic/dense-candidates.ts';

type CommonDirection = {
  /** The words that nearly all memories hold. */
  asking: PendingEmbedding;
  /** The whole question. */
  asked: QueryEmbedding;
  found: readonly Candidate[];
  limit: number;
};

/**
 * Makes of how near memories are how near they are by what they do not share with nearly all
 * others: what a question and a memory have in the direction of the common words is left out, and
 * the rest compared (a projection, after Arora, Liang and Ma 2017).
 */
export async function leaveOutCommon(
  within: Parameters<typeof addDenseCandidates>[0] & Parameters<typeof searchVectors>[0],
  near: DenseCandidates,
  { asking, asked, found, limit }: CommonDirection,
): Promise<void> {
  const looked = await searchVectors(within, asking, limit);
  if ('warning' in looked) return;
  const all = [...found, ...near.candidates];
  const shared = await addDenseCandidates(within, looked.asked, { ...looked, found: all });
  const own = dotProduct(asked.vector, looked.asked.vector);
  for (const [id, similarity] of near.similarities) {
    const other = shared.similarities.get(id) ?? 0;
    const rest = Math.sqrt((1 - own ** 2) * (1 - other ** 2));
    if (rest > 0) near.similarities.set(id, (similarity - own * other) / rest);
  }
}

/** Of vectors of length 1: the cosine of the angle between them. */
function dotProduct(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}
