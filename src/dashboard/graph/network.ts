import type { Output } from '../../contract.ts';

export type Edge = Output<'list_relations'>['results'][number];

/** An entity, its kind, and how many relations it has. */
export type NamedEntity = { name: string; type: string; degree: number };

export type Network = { entities: NamedEntity[]; edges: Edge[] };

/** The entities of relations, those with the most relations first. */
export function networkOf(edges: readonly Edge[]): Network {
  const byName = new Map<string, NamedEntity>();
  const count = (name: string, type: string) => {
    const entity = byName.get(name);
    if (entity === undefined) byName.set(name, { name, type, degree: 1 });
    else entity.degree += 1;
  };
  const unique = [...new Map(edges.map((edge) => [keyOf(edge), edge])).values()];
  for (const { source, source_type, target, target_type } of unique) {
    count(source, source_type);
    if (target !== source) count(target, target_type);
  }
  const entities = [...byName.values()].toSorted(
    (one, other) => other.degree - one.degree || (one.name < other.name ? -1 : 1),
  );
  return { entities, edges: unique };
}

/** Cuts a network to what fits into a picture: the entities around one, and the best connected. */
export function cutTo(count: number, { entities, edges }: Network, around: string | null): Network {
  const ends = new Set(edges.filter((edge) => touches(edge, around)).flatMap(endsOf));
  const names = new Set(
    entities
      .toSorted((one, other) => Number(ends.has(other.name)) - Number(ends.has(one.name)))
      .slice(0, count)
      .map(({ name }) => name),
  );
  return {
    entities: entities.filter(({ name }) => names.has(name)),
    edges: edges.filter((edge) => endsOf(edge).every((name) => names.has(name))),
  };
}

export function touches({ source, target }: Edge, name: string | null): boolean {
  return source === name || target === name;
}

export function keyOf({ memory_id, source, relationship, target }: Edge): string {
  return JSON.stringify([memory_id, source, relationship, target]);
}

/** `lives_in`, in words. */
export function relationWords({ relationship }: Edge): string {
  return relationship.replaceAll('_', ' ');
}

function endsOf({ source, target }: Edge): string[] {
  return [source, target];
}
