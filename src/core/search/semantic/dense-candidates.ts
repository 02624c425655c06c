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
  /** Those of the nearest that words did not find. */
  candidates: Candidate[];
  /** How near all of them are, by id. */
  similarities: Map<string, number>;
};

/** The nearest beside those that words have found, and how near these are. */
export async function addDenseCandidates(
  { tables, project }: DenseSearchScope,
  { model, vector }: QueryEmbedding,
  { found, nearest }: { found: readonly Candidate[]; nearest: NearestVectors },
): Promise<DenseCandidates> {
  const { neighbours, compared } = nearest;
  const known = new Set(found.map(({ position }) => position));
  const missing = neighbours.map(({ position }) => position).filter((one) => !known.has(one));
  const candidates = await tables.memories.listByPositions(project, missing);
  const rest = [...known].filter((position) => !compared.has(position));
  const others = await tables.vectors.getSimilarities(project, { model, vector, positions: rest });
  const near = [...found, ...candidates].flatMap(({ id, position }) => {
    const similarity = compared.get(position) ?? others.get(position);
    return similarity === undefined ? [] : [{ id, similarity }];
  });
  // Nearest first: of those that score the same in the end, the nearer one is answered first.
  near.sort((one, other) => other.similarity - one.similarity);
  const similarities = new Map(near.map(({ id, similarity }) => [id, similarity]));
  return { candidates, similarities };
}
