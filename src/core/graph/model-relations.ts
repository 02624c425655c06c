import { limits } from '../../contract/limits.ts';
import type { StatedRelation } from '../ports/index.ts';
import { petNames, relationPhrases } from './relation-phrases.ts';
import type { RelationEdge } from './rule-relations.ts';

/** The owner of the text, and the relations that rules find in it. */
type TypingContext = { self: string; byRules: readonly RelationEdge[] };

/**
 * Relations that a model found, with whom "User" means and with the types of what they join: as
 * rules see it in the same text, else as the relationship has it, else unknown.
 */
export function typeModelRelations(
  stated: readonly StatedRelation[],
  { self, byRules }: TypingContext,
): RelationEdge[] {
  const types = new Map([
    ...byRules.flatMap((edge) => [
      [edge.source.toLowerCase(), edge.source_type] as const,
      [edge.target.toLowerCase(), edge.target_type] as const,
    ]),
    [self.toLowerCase(), 'person'] as const,
  ]);
  const typeOf = (name: string, relationship: string) =>
    types.get(name.toLowerCase()) ?? targetTypeByRelationship.get(relationship) ?? unknownType;
  const edges = stated.map(({ relationship, ...ends }) => {
    const source = resolveName(ends.source, self);
    const target = resolveName(ends.target, self);
    const source_type = types.get(source.toLowerCase()) ?? unknownType;
    const target_type = typeOf(target, relationship);
    return { source, source_type, relationship, target, target_type };
  });
  return edges
    .filter(({ source, target }) => source.toLowerCase() !== target.toLowerCase())
    .slice(0, limits.relations_max);
}

const unknownType = 'entity';

function resolveName(name: string, self: string): string {
  return name.toLowerCase() === 'user' ? self : name;
}

const targetTypeByRelationship = new Map([
  ...relationPhrases.map(({ relationship, target_type }) => [relationship, target_type] as const),
  ...[...petNames].map((pet) => [pet, 'animal'] as const),
]);
