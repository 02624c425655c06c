import type { Unit } from '../memory/record.ts';
import type { NewMemory, StatedRelation } from '../ports.ts';
import { type Edge, relationsIn } from './relations.ts';
import { typed } from './typed.ts';

type Told = Pick<NewMemory, 'id' | 'memory' | 'user_id' | 'agent_id' | 'speaker'>;

/** What a model found in memories, by their ids; the others are left to rules. */
export type Stated = ReadonlyMap<string, readonly StatedRelation[]>;

/** Stores the relations that memories state. */
export async function connect(
  { tables, project }: Unit,
  memories: readonly Told[],
  stated: Stated = new Map(),
): Promise<void> {
  const relations = memories.flatMap((memory) =>
    edgesOf(memory, stated.get(memory.id)).map((edge) => ({ ...edge, memory_id: memory.id })),
  );
  if (relations.length > 0) await tables.relations.insert(project, relations);
}

function edgesOf(memory: Told, stated: readonly StatedRelation[] = []): Edge[] {
  const self = selfOf(memory);
  const byRules = relationsIn(memory.memory, self);
  const byModel = typed(stated, { self, byRules });
  return byModel.length === 0 ? byRules : byModel;
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

/** Who "I" and "User" are in it. */
function selfOf({ speaker, user_id, agent_id }: Told): string {
  return speaker ?? user_id ?? agent_id ?? 'user';
}
