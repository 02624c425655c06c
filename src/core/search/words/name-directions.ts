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
  const own = cosineSimilarity(asked.vector, looked.asked.vector);
  for (const [id, similarity] of near.similarities) {
    const rest = restOf(similarity, own, shared.similarities.get(id) ?? 0);
    if (rest !== null) near.similarities.set(id, rest);
  }
}

type NamesInQuestion = {
  names: readonly NameInQuestion[];
  embedder: QueryEmbedder;
  asked: QueryEmbedding;
  found: readonly Candidate[];
};

/**
 * Makes a name in the question count alike for all facts that hold it: how near a fact is to a name
 * tells only how little else it says, and the shortest would come before the answer. Turns of a
 * conversation stay as they are: who speaks tells them apart.
 */
export async function evenOutNames(
  { tables, project }: Parameters<typeof addDenseCandidates>[0],
  near: DenseCandidates,
  { names, embedder, asked, found }: NamesInQuestion,
): Promise<void> {
  const facts = [...found, ...near.candidates].filter(({ run_id }) => run_id === null);
  const held = names.flatMap(({ word, forms }) => {
    const holders = facts.filter(({ terms }) => forms.some((form) => holdsTerm(form, terms)));
    return holders.length < 2 ? [] : [{ word, holders }];
  });
  for (const { word, holders } of held.slice(0, heldNamesMax)) {
    const named = await embedAtOnce(embedder, textOfNames([word]));
    if (named === null) continue;
    const own = cosineSimilarity(asked.vector, named.vector);
    const positions = holders.map(({ position }) => position);
    const others = await tables.vectors.getSimilarities(project, { ...named, positions });
    const mean = sum(others.values()) / others.size;
    for (const { id, position } of holders) {
      const other = others.get(position);
      const similarity = near.similarities.get(id);
      if (other === undefined || similarity === undefined) continue;
      const rest = restOf(similarity, own, other);
      if (rest === null) continue;
      const across = Math.sqrt((1 - own ** 2) * (1 - mean ** 2));
      near.similarities.set(id, own * mean + rest * across);
    }
  }
}

/** Each takes a statement; few questions are about more. */
const heldNamesMax = 4;

async function embedAtOnce(embedder: QueryEmbedder, text: string): Promise<QueryEmbedding | null> {
  const begun = await embedder.startEmbedding(text);
  if ('warning' in begun) return null;
  const answer = await begun.embedding;
  return 'warning' in answer ? null : { model: begun.model, ...answer };
}

/**
 * The similarity of what two texts have besides a direction, of which one has `own` and the other
 * one `other`: null where one of them has nothing else.
 */
function restOf(similarity: number, own: number, other: number): number | null {
  const rest = Math.sqrt((1 - own ** 2) * (1 - other ** 2));
  return rest > 0 ? (similarity - own * other) / rest : null;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
