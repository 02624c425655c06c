import type {
  Candidate,
  NearestVectors,
  ProjectRef,
  QueryEmbedding,
  Tables,
} from '../../ports/index.ts';

type DenseSearchScope = {
  tables: {
    memories: Pick<Tables['memories'], 'listByPositions'>;
    vectors: Pick<Tables['vectors'], 'getSimilarities'>;
  };
  project: ProjectRef;
};

export type DenseCandidates = {
  /** The nearest memories that the words of the question did not find. */
  candidates: Candidate[];
  /** The similarity of all candidates to the question, by id. */
  similarities: Map<string, number>;
};

/** Adds the nearest memories to those that words have found, and tells how near all of them are. */
export async function addDenseCandidates(
  { tables, project }: DenseSearchScope,
  { model, vector }: QueryEmbedding,
  { wordCandidates, nearest }: { wordCandidates: readonly Candidate[]; nearest: NearestVectors },
): Promise<DenseCandidates> {
  const { neighbours, compared } = nearest;
  const wordPositions = new Set(wordCandidates.map(({ position }) => position));
  const newPositions = neighbours
    .map(({ position }) => position)
    .filter((one) => !wordPositions.has(one));
  const candidates = await tables.memories.listByPositions(project, newPositions);
  const otherPositions = [...wordPositions].filter((position) => !compared.has(position));
  const otherSimilarities = await tables.vectors.getSimilarities(project, {
    model,
    vector,
    positions: otherPositions,
  });
  const entries = [...wordCandidates, ...candidates].flatMap(({ id, position }) => {
    const similarity = compared.get(position) ?? otherSimilarities.get(position);
    return similarity === undefined ? [] : [{ id, similarity }];
  });
  // Nearest first: the nearer of two memories with the same score comes first in the answer.
  entries.sort((one, other) => other.similarity - one.similarity);
  const similarities = new Map(entries.map(({ id, similarity }) => [id, similarity]));
  return { candidates, similarities };
}
