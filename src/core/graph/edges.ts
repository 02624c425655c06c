import type { NewMemory, StatedRelation } from '../ports.ts';
import { type Edge, relationsIn } from './relations.ts';
import { typed } from './typed.ts';

export type Told = Pick<NewMemory, 'id' | 'memory' | 'user_id' | 'agent_id' | 'speaker'>;

/** The relations that a memory states: those that a model found in it, else those of the rules. */
export function edgesOf(memory: Told, stated: readonly StatedRelation[] = []): Edge[] {
  const self = selfOf(memory);
  const byRules = relationsIn(memory.memory, self);
  const byModel = typed(stated, { self, byRules });
  return byModel.length === 0 ? byRules : byModel;
}

/** Who "I" and "User" are in it. */
function selfOf({ speaker, user_id, agent_id }: Told): string {
  return speaker ?? user_id ?? agent_id ?? 'user';
}
