import type { Unit } from '../memory/record.ts';
import type { NewMemory } from '../ports.ts';
import { relationsIn } from './relations.ts';

type Told = Pick<NewMemory, 'id' | 'memory' | 'user_id' | 'agent_id' | 'speaker'>;

/** Stores the relations that memories state. */
export async function connect({ tables, project }: Unit, memories: readonly Told[]): Promise<void> {
  const relations = memories.flatMap((memory) =>
    relationsIn(memory.memory, selfOf(memory)).map((edge) => ({ ...edge, memory_id: memory.id })),
  );
  if (relations.length > 0) await tables.relations.insert(project, relations);
}

/** The same for a memory with a new text, where it had relations or is to have them. */
export async function reconnect(
  unit: Unit,
  memory: Told,
  { always }: { always: boolean },
): Promise<void> {
  const gone = await unit.tables.relations.deleteByMemories(unit.project, [memory.id]);
  if (gone > 0 || always) await connect(unit, [memory]);
}

/** Who "I" and "User" are in it. */
function selfOf({ speaker, user_id, agent_id }: Told): string {
  return speaker ?? user_id ?? agent_id ?? 'user';
}
