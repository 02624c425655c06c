import type { NewMemory, StatedRelation } from '../ports/index.ts';
import { typeModelRelations } from './model-relations.ts';
import { extractRuleRelations, type RelationEdge } from './rule-relations.ts';

export type GraphMemory = Pick<NewMemory, 'id' | 'memory' | 'user_id' | 'agent_id' | 'speaker'>;

/** The relations that a memory states: those that a model found in it, else those of the rules. */
export function extractRelations(
  memory: GraphMemory,
  stated: readonly StatedRelation[] = [],
): RelationEdge[] {
  const self = selfName(memory);
  const byRules = extractRuleRelations(memory.memory, self);
  const byModel = typeModelRelations(stated, { self, byRules });
  return byModel.length === 0 ? byRules : byModel;
}

/** The name for "I" and "User" in a memory. */
function selfName({ speaker, user_id, agent_id }: GraphMemory): string {
  return speaker ?? user_id ?? agent_id ?? 'user';
}
