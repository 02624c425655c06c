import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { AskedMeaning, Candidate, Neighbour, Project, Selection, Tables } from '../ports.ts';

type Within = {
  tables: {
    memories: Pick<Tables['memories'], 'atPositions' | 'size'>;
    vectors: Pick<Tables['vectors'], 'nearest' | 'similarities'>;
  };
  project: Project;
  selection: Selection;
};

/** The nearest memories of the selection, whatever their words. */
export async function findNearest(
  { tables, project, selection }: Within,
  { space, vector }: AskedMeaning,
  limit: number,
): Promise<Neighbour[]> {
  const size = await tables.memories.size(project, Object.fromEntries(idsIn(selection.filter)));
  return tables.vectors.nearest(project, selection, { space, vector, size, limit });
}

export type Near = {
  /** Those of the nearest that words did not find. */
  candidates: Candidate[];
  /** How near all of them are, by id. */
  similarities: Map<string, number>;
};

/** The nearest beside those that words have found, and how near these are. */
export async function joinNear(
  { tables, project }: Pick<Within, 'tables' | 'project'>,
  { space, vector }: AskedMeaning,
  { found, nearest }: { found: readonly Candidate[]; nearest: readonly Neighbour[] },
): Promise<Near> {
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
