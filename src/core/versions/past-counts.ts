import type { Deps, PastTime, ProjectRef, StoredEntity } from '../ports/index.ts';

/** The same entities with the number of memories that they had then. */
export async function countAsOf(
  { versions }: Pick<Deps['store'], 'versions'>,
  project: ProjectRef,
  { entities, past }: { entities: readonly StoredEntity[]; past: PastTime },
): Promise<StoredEntity[]> {
  const counts = new Map<string, ReadonlyMap<string, number>>();
  for (const type of new Set(entities.map((entity) => entity.type))) {
    const ids = entities.filter((entity) => entity.type === type).map(({ id }) => id);
    counts.set(type, await versions.countByEntity(project, { type, ids }, past));
  }
  return entities.map((entity) => {
    return { ...entity, total_memories: counts.get(entity.type)?.get(entity.id) ?? 0 };
  });
}
