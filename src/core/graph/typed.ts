import { limits } from '../../contract/limits.ts';
import type { StatedRelation } from '../ports.ts';
import { isOrder } from '../safety/orders.ts';
import { petNames, phrases } from './phrases.ts';
import type { Edge } from './relations.ts';

/** Whose text it is, and what rules find in it. */
type About = { self: string; byRules: readonly Edge[] };

/**
 * Relations that a model found, with whom "User" means and with the types of what they join: as
 * rules see it in the same text, else as the relationship has it, else unknown.
 */
export function typed(stated: readonly StatedRelation[], { self, byRules }: About): Edge[] {
  const types = new Map([
    ...byRules.flatMap((edge) => [
      [edge.source.toLowerCase(), edge.source_type] as const,
      [edge.target.toLowerCase(), edge.target_type] as const,
    ]),
    [self.toLowerCase(), 'person'] as const,
  ]);
  const typeOf = (name: string, relationship: string) =>
    types.get(name.toLowerCase()) ?? targetTypes.get(relationship) ?? unknown;
  const edges = stated.map(({ relationship, ...ends }) => {
    const source = named(ends.source, self);
    const target = named(ends.target, self);
    const source_type = types.get(source.toLowerCase()) ?? unknown;
    const target_type = typeOf(target, relationship);
    return { source, source_type, relationship, target, target_type };
  });
  return edges
    .filter(({ source, target }) => source.toLowerCase() !== target.toLowerCase())
    .filter(({ relationship }) => !isOrder(relationship.replaceAll('_', ' ')))
    .slice(0, limits.relations_max);
}

const unknown = 'entity';

function named(name: string, self: string): string {
  return name.toLowerCase() === 'user' ? self : name;
}

const targetTypes = new Map([
  ...phrases.map(({ relationship, target_type }) => [relationship, target_type] as const),
  ...[...petNames].map((pet) => [pet, 'animal'] as const),
]);
