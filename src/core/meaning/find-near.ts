import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { AskedMeaning, Candidate, Project, Selection, Tables } from '../ports.ts';

type Within = {
  tables: {
    memories: Pick<Tables['memories'], 'atPositions' | 'size'>;
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
  { found, limit }: { found: readonly Candidate[]; limit: number },
): Promise<Near> {
  const size = await tables.memories.size(project, Object.fromEntries(idsIn(selection.filter)));
  const nearest = await tables.vectors.nearest(project, selection, { space, vector, size, limit });
  const similarities = new Map(nearest.map(({ id, similarity }) => [id, similarity]));
  const rest = found.filter(({ id }) => !similarities.has(id));
  const positions = rest.map(({ position }) => position);
  const others = await tables.vectors.similarities(project, { space, vector, positions });
  for (const { id, position } of rest) {
    const similarity = others.get(position);
    if (similarity !== undefined) similarities.set(id, similarity);
  }
  const known = new Set(found.map(({ id }) => id));
  const missing = nearest.filter(({ id }) => !known.has(id)).map(({ position }) => position);
  return { candidates: await tables.memories.atPositions(project, missing), similarities };
}

/** The entities that all memories of the filter belong to: few belong to a rare one. */
function idsIn(filter: Filter): [field: string, id: string][] {
  if ('all' in filter) return filter.all.flatMap(idsIn);
  if (!('field' in filter) || filter.operator !== 'eq') return [];
  const field = entityIdFields.find((name) => name === filter.field);
  return field === undefined || typeof filter.value !== 'string' ? [] : [[field, filter.value]];
}
