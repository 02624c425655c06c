import type { Relation } from '../../contract/schemas/relation.ts';
import { extractRelations } from '../graph/memory-relations.ts';
import type { Deps, PastTime, ProjectRef, RelationTable } from '../ports/index.ts';

/**
 * The relations of memories as they were. The relations of an unchanged text are stored; those of a
 * changed text are found again, by rules.
 */
export function pastRelations(
  store: Pick<Deps['store'], 'memories' | 'relations' | 'versions'>,
  { project, as_of, valid_at }: PastTime & { project: ProjectRef },
): RelationTable['list'] {
  return async (_project, ids) => {
    const then = await store.versions.findMany(project, ids, { as_of, valid_at });
    const present = await store.memories.findMany(project, ids);
    const texts = new Map(present.map(({ id, memory }) => [id, memory]));
    const isSame = ({ id, memory }: { id: string; memory: string }) => texts.get(id) === memory;
    const same = then.filter(isSame).map(({ id }) => id);
    const storedRelations = await store.relations.list(project, same);
    const earlierRelations = then.flatMap((memory): Relation[] =>
      isSame(memory)
        ? []
        : extractRelations(memory).map((relation) => ({ ...relation, memory_id: memory.id })),
    );
    return [...storedRelations, ...earlierRelations];
  };
}
