import type { UnitOfWork } from '../history/record.ts';
import type { StatedRelation } from '../ports/index.ts';
import type { GraphMemory } from './memory-relations.ts';

/** The relations that a model found, by memory id; rules find those of other memories. */
export type RelationsByMemory = ReadonlyMap<string, readonly StatedRelation[]>;

/** Stores the relations that memories state. */
export async function insertRelations(
  { tables, project }: UnitOfWork,
  memories: readonly GraphMemory[],
  stated: RelationsByMemory = new Map(),
): Promise<void> {
  const { extractRelations } = await import('./memory-relations.ts'); // few projects have a graph
  const relations = memories.flatMap((memory) =>
    extractRelations(memory, stated.get(memory.id)).map((edge) => ({
      ...edge,
      memory_id: memory.id,
    })),
  );
  if (relations.length > 0) await tables.relations.insert(project, relations);
}

/** The same for a memory with a new text, where it had relations or is to have them. */
export async function replaceRelations(
  unit: UnitOfWork,
  memory: GraphMemory,
  {
    always,
    relations = [],
  }: { always: boolean; relations?: readonly StatedRelation[] | undefined },
): Promise<void> {
  const gone = await unit.tables.relations.deleteByMemories(unit.project, [memory.id]);
  if (gone > 0 || always) await insertRelations(unit, [memory], new Map([[memory.id, relations]]));
}
