import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type {
  AskedMeaning,
  Candidate,
  Gathered,
  Nearest,
  Project,
  Selection,
  Tables,
  VectorSpace,
} from '../ports.ts';

type Within = {
  tables: {
    memories: Pick<Tables['memories'], 'atPositions' | 'size'>;
    vectors: Pick<Tables['vectors'], 'gather' | 'nearest' | 'similarities'>;
  };
  project: Project;
  selection: Selection;
};

/** What a question will be compared with: of how many memories, and those at hand. */
export type Ahead = { size: number; gathered: Gathered | null };

/** What can be done before the model has answered. */
export async function lookAhead(
  { tables, project, selection }: Within,
  space: VectorSpace,
): Promise<Ahead> {
  const size = await tables.memories.size(project, Object.fromEntries(idsIn(selection.filter)));
  return { size, gathered: await tables.vectors.gather(project, selection, { space, size }) };
}

/** The nearest memories of the selection, whatever their words. */
export function findNearest(
  { tables, project, selection }: Within,
  asked: AskedMeaning,
  { limit, ...ahead }: Ahead & { limit: number },
): Promise<Nearest> {
  return tables.vectors.nearest(project, selection, { ...asked, ...ahead, limit });
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
