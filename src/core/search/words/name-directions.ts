import type { Candidate, QueryEmbedder, QueryEmbedding } from '../../ports/index.ts';
import { cosineSimilarity } from '../../vectors.ts';
import { holdsTerm } from '../rank/passages.ts';
import { type PendingEmbedding, searchVectors } from '../search-vectors.ts';
import { addDenseCandidates, type DenseCandidates } from '../semantic/dense-candidates.ts';
import { type NameInQuestion, textOfNames } from './names.ts';

type CommonDirection = {
  /** The words that nearly all memories hold. */
  asking: PendingEmbedding;
  /** The whole question. */
  embedding: QueryEmbedding;
  candidates: readonly Candidate[];
  limit: number;
};

/**
 * Changes the similarities of memories to leave out what nearly all of them share: the direction of
 * the common words is removed from the question and the memory, and the remainders are compared (a
 * projection, after Arora, Liang and Ma 2017).
 */
export async function leaveOutCommon(
  within: Parameters<typeof addDenseCandidates>[0] & Parameters<typeof searchVectors>[0],
  near: DenseCandidates,
  { asking, embedding, candidates, limit }: CommonDirection,
): Promise<void> {
  const commonHits = await searchVectors(within, asking, limit);
  if ('warning' in commonHits) return;
  const allCandidates = [...candidates, ...near.candidates];
  const common = await addDenseCandidates(within, commonHits.embedding, {
    ...commonHits,
    wordCandidates: allCandidates,
  });
  const own = cosineSimilarity(embedding.vector, commonHits.embedding.vector);
  for (const [id, similarity] of near.similarities) {
    const remainder = similarityBeside(similarity, own, common.similarities.get(id) ?? 0);
    if (remainder !== null) near.similarities.set(id, remainder);
  }
}

type NamesInQuestion = {
  names: readonly NameInQuestion[];
  embedder: QueryEmbedder;
  embedding: QueryEmbedding;
  candidates: readonly Candidate[];
};

/**
 * Makes a name in the question count the same for all facts that hold it: a fact is near to a name
 * if it says little else, so the shortest fact would come before the answer. Turns of a
 * conversation stay as they are, because their speakers tell them apart.
 */
export async function evenOutNames(
  { tables, project }: Parameters<typeof addDenseCandidates>[0],
  near: DenseCandidates,
  { names, embedder, embedding, candidates }: NamesInQuestion,
): Promise<void> {
  const facts = [...candidates, ...near.candidates].filter(({ run_id }) => run_id === null);
  const heldNames = names.flatMap(({ word, forms }) => {
    const holders = facts.filter(({ terms }) => forms.some((form) => holdsTerm(form, terms)));
    return holders.length < 2 ? [] : [{ word, holders }];
  });
  for (const { word, holders } of heldNames.slice(0, heldNamesMax)) {
    const nameEmbedding = await embedAtOnce(embedder, textOfNames([word]));
    if (nameEmbedding === null) continue;
    const own = cosineSimilarity(embedding.vector, nameEmbedding.vector);
    const positions = holders.map(({ position }) => position);
    const others = await tables.vectors.getSimilarities(project, { ...nameEmbedding, positions });
    const mean = sum(others.values()) / others.size;
    for (const { id, position } of holders) {
      const other = others.get(position);
      const similarity = near.similarities.get(id);
      if (other === undefined || similarity === undefined) continue;
      const remainder = similarityBeside(similarity, own, other);
      if (remainder === null) continue;
      const across = Math.sqrt((1 - own ** 2) * (1 - mean ** 2));
      near.similarities.set(id, own * mean + remainder * across);
    }
  }
}

/** Each name costs a statement; few questions are about more. */
const heldNamesMax = 4;

async function embedAtOnce(embedder: QueryEmbedder, text: string): Promise<QueryEmbedding | null> {
  const pending = await embedder.startEmbedding(text);
  if ('warning' in pending) return null;
  const answer = await pending.embedding;
  return 'warning' in answer ? null : { model: pending.model, ...answer };
}

/**
 * The similarity of two texts without a direction that one has by `own` and the other by `other`:
 * null if one of them has nothing else.
 */
function similarityBeside(similarity: number, own: number, other: number): number | null {
  const scale = Math.sqrt((1 - own ** 2) * (1 - other ** 2));
  return scale > 0 ? (similarity - own * other) / scale : null;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
