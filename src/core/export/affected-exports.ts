import { type EntityIds, type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import { type Filter, type FilterComparison, parseFilter } from '../../contract/schemas/filter.ts';
import type { StoredExport } from '../ports/index.ts';

export type ExportedEntity = { type: EntityType; id: string };

/** False when what an export was made of surely holds no memory that carries this entity's id. */
export function mayContainEntity(
  record: Pick<StoredExport, keyof EntityIds | 'filters'>,
  { type, id }: ExportedEntity,
): boolean {
  const field = entityIdField(type);
  const named = record[field];
  if (named !== null && named !== id) return false;
  return (
    record.filters === null || matchesEntityId(parseFilter(record.filters), { field, id }) !== false
  );
}

/** True when an export names this entity as its own. */
export function namesEntity(record: EntityIds, { type, id }: ExportedEntity): boolean {
  return record[entityIdField(type)] === id;
}

type KnownEntityId = { field: keyof EntityIds; id: string };

/**
 * Whether a filter matches memories of which only one entity id is known; null where that depends
 * on the rest.
 */
function matchesEntityId(filter: Filter, carried: KnownEntityId): boolean | null {
  if ('all' in filter) return allOfThree(filter.all.map((part) => matchesEntityId(part, carried)));
  if ('any' in filter)
    return notOfThree(
      allOfThree(filter.any.map((part) => notOfThree(matchesEntityId(part, carried)))),
    );
  if ('none' in filter)
    return allOfThree(filter.none.map((part) => notOfThree(matchesEntityId(part, carried))));
  return filter.field === carried.field ? compareEntityId(filter, carried.id) : null;
}

function allOfThree(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

function notOfThree(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function compareEntityId({ operator, value }: FilterComparison, id: string): boolean | null {
  const values = [value].flat();
  switch (operator) {
    case 'exists':
      return true;
    case 'eq':
    case 'in':
      return values.includes(id);
    case 'ne':
    case 'nin':
      return !values.includes(id);
    case 'contains':
      return values.some((part) => id.includes(String(part)));
    default:
      // How case is folded is the store's to know.
      return null;
  }
}
