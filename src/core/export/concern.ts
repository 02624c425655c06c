import { type EntityIds, type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import { type Filter, type FilterComparison, parseFilter } from '../../contract/schemas/filter.ts';
import type { StoredExport } from '../ports.ts';

type Entity = { type: EntityType; id: string };

/** False when what an export was made of surely holds no memory that carries this entity's id. */
export function mayConcern(
  record: Pick<StoredExport, keyof EntityIds | 'filters'>,
  { type, id }: Entity,
): boolean {
  const field = entityIdField(type);
  const named = record[field];
  if (named !== null && named !== id) return false;
  return record.filters === null || matches(parseFilter(record.filters), { field, id }) !== false;
}

/** True when an export names this entity as its own. */
export function names(record: EntityIds, { type, id }: Entity): boolean {
  return record[entityIdField(type)] === id;
}

type Carried = { field: keyof EntityIds; id: string };

/**
 * Whether a filter matches memories of which only one entity id is known; null where that depends
 * on the rest.
 */
function matches(filter: Filter, carried: Carried): boolean | null {
  if ('all' in filter) return every(filter.all.map((part) => matches(part, carried)));
  if ('any' in filter) return not(every(filter.any.map((part) => not(matches(part, carried)))));
  if ('none' in filter) return every(filter.none.map((part) => not(matches(part, carried))));
  return filter.field === carried.field ? compare(filter, carried.id) : null;
}

function every(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

function not(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function compare({ operator, value }: FilterComparison, id: string): boolean | null {
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
