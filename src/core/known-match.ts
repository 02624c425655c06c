import type { Filter, FilterComparison } from '../contract/schemas/filter.ts';

/** Whether a condition holds; null where that depends on what is not known. */
type KnownComparison = (part: FilterComparison) => boolean | null;

/** Whether a filter matches memories of which only some fields are known; null for perhaps. */
export function matchWhatIsKnown(filter: Filter, known: KnownComparison): boolean | null {
  const parts = (members: readonly Filter[]) =>
    members.map((part) => matchWhatIsKnown(part, known));
  if ('all' in filter) return allOfThree(parts(filter.all));
  if ('any' in filter) return notOfThree(allOfThree(parts(filter.any).map(notOfThree)));
  if ('none' in filter) return allOfThree(parts(filter.none).map(notOfThree));
  return known(filter);
}

function allOfThree(parts: readonly (boolean | null)[]): boolean | null {
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

function notOfThree(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

/** Compares with an entity id of a memory. */
export function compareEntityId({ operator, value }: FilterComparison, id: string): boolean | null {
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
