import type { AskedMeaning, Candidate, Project, Selection, Tables } from '../ports.ts';

type Within = {
  tables: {
    memories: Pick<Tables['memories'], 'atPositions'>;
    vectors: Pick<Tables['vectors'], 'nearest' | 'similarities'>;
  };
  project: Project;
  selection: Selection;
};

export type Near = {
  /** Those of the nearest that words did not find. */
  candidates: Candidate[];
  /** How near all of them are, by id. */
  similarities: Map<string, number>;
};

/** The memories that are nearest to the question, and how near those are that words have found. */
export async function findNear(
  { tables, project, selection }: Within,
  { space, vector }: AskedMeaning,
  { found, size, limit }: { found: readonly Candidate[]; size: number; limit: number },
): Promise<Near> {
  const nearest = await tables.vectors.nearest(project, selection, { space, vector, size, limit });
  const similarities = new Map(nearest.map(({ id, similarity }) => [id, similarity]));
  const rest = found.filter(({ id }) => !similarities.has(id));
  const positions = rest.map(({ position }) => position);
  const others = await tables.vectors.similarities(space, vector, positions);
  for (const { id, position } of rest) {
    const similarity = others.get(position);
    if (similarity !== undefined) similarities.set(id, similarity);
  }
  const known = new Set(found.map(({ id }) => id));
  const missing = nearest.filter(({ id }) => !known.has(id)).map(({ position }) => position);
  return { candidates: await tables.memories.atPositions(project, missing), similarities };
}
