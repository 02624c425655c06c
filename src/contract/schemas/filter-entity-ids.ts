import { type EntityIds, type EntityType, typedIdFields } from './entity.ts';
import type { Filter, FilterComparison } from './filter.ts';

/** The ids of entities that every memory of the filter belongs to. */
export function singleEntityIdsIn(filter: Filter): Partial<EntityIds> {
  const single = requiredEntitiesIn(filter).filter(({ ids }) => ids.length === 1);
  return Object.fromEntries(single.map(({ field, ids: [id] }) => [field, id]));
}

export type RequiredEntities = {
  type: EntityType;
  field: keyof EntityIds;
  ids: readonly string[];
};

/** Entities that every memory of the filter must belong to: comparisons outside of OR and NOT. */
export function requiredEntitiesIn(filter: Filter): RequiredEntities[] {
  if ('all' in filter) return filter.all.flatMap(requiredEntitiesIn);
  return 'field' in filter ? requiredEntitiesOf(filter) : [];
}

function requiredEntitiesOf({ field, operator, value }: FilterComparison): RequiredEntities[] {
  const named = typedIdFields.find((entity) => entity.field === field);
  if (named === undefined || (operator !== 'eq' && operator !== 'in')) return [];
  const ids = [value].flat();
  return ids.every((id) => typeof id === 'string') ? [{ ...named, ids }] : [];
}
