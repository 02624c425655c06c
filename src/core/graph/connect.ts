import type { Unit } from '../memory/record.ts';
import type { StatedRelation } from '../ports.ts';
import type { Told } from './edges.ts';

/** What a model found in memories, by their ids; the others are left to rules. */
export type Stated = ReadonlyMap<string, readonly StatedRelation[]>;

/** Stores the relations that memories state. */
export async function connect(
  { tables, project }: Unit,
  memories: readonly Told[],
  stated: Stated = new Map(),
): Promise<void> {
  const { edgesOf } = await import('./edges.ts'); // few projects have a graph
  const relations = memories.flatMap((memory) =>
    edgesOf(memory, stated.get(memory.id)).map((edge) => ({ ...edge, memory_id: memory.id })),
  );
  if (relations.length > 0) await tables.relations.insert(project, relations);
}

/** The same for a memory with a new text, where it had relations or is to have them. */
export async function reconnect(
  unit: Unit,
  memory: Told,
  {
    always,
    relations = [],
  }: { always: boolean; relations?: readonly StatedRelation[] | undefined },
): Promise<void> {
  const gone = await unit.tables.relations.deleteByMemories(unit.project, [memory.id]);
  if (gone > 0 || always) await connect(unit, [memory], new Map([[memory.id, relations]]));
}
