import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { AskedMeaning, Candidate, Nearest, Project, Selection, Tables } from '../ports.ts';

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
): Promise<Nearest> {
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
  { found, nearest }: { found: readonly Candidate[]; nearest: Nearest },
): Promise<Near> {
  const { neighbours, compared } = nearest;
  const known = new Set(found.map(({ position }) => position));
  const missing = neighbours.map(({ position }) => position).filter((one) => !known.has(one));
  const candidates = await tables.memories.atPositions(project, missing);
  const rest = [...known].filter((position) => !compared.has(position));
  const others = await tables.vectors.similarities(project, { space, vector, positions: rest });
  const near = [...found, ...candidates].flatMap(({ id, position }) => {
    const similarity = compared.get(position) ?? others.get(position);
    return similarity === undefined ? [] : [{ id, similarity }];
  });
  // Nearest first: of those that score the same in the end, the nearer one is answered first.
  near.sort((one, other) => other.similarity - one.similarity);
  const similarities = new Map(near.map(({ id, similarity }) => [id, similarity]));
  return { candidates, similarities };
}

/** The entities that all memories of the filter belong to: few belong to a rare one. */
function idsIn(filter: Filter): [field: string, id: string][] {
  if ('all' in filter) return filter.all.flatMap(idsIn);
  if (!('field' in filter) || filter.operator !== 'eq') return [];
  const field = entityIdFields.find((name) => name === filter.field);
  return field === undefined || typeof filter.value !== 'string' ? [] : [[field, filter.value]];
}
