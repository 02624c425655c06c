import { type Filter, type FilterComparison, filterFields } from '../../contract/schemas/filter.ts';

/** A condition about the text of a memory alone, which can be decided in one reading of it. */
export type TextCondition =
  | { all: TextCondition[] }
  | { any: TextCondition[] }
  | { none: TextCondition[] }
  | TextComparison;

/** True if it holds for one of the values; `words` means all words of a value. */
type TextComparison = {
  look: 'equals' | 'contains' | 'icontains' | 'words';
  values: readonly string[];
};

/** The filter as a condition about the text; null if it asks about anything else. */
export function textConditionOf(filter: Filter): TextCondition | null {
  if ('field' in filter) return comparisonOf(filter);
  const members = 'all' in filter ? filter.all : 'any' in filter ? filter.any : filter.none;
  const parts = members.map(textConditionOf).filter((part) => part !== null);
  if (parts.length < members.length) return null;
  if ('all' in filter) return { all: parts };
  return 'any' in filter ? { any: parts } : { none: parts };
}

function comparisonOf({ field, operator, value }: FilterComparison): TextCondition | null {
  const kind = filterFields[field];
  if (kind !== 'words' && kind !== 'text') return null;
  const values = [value].flat().filter((one) => typeof one === 'string');
  if (operator === 'contains' || operator === 'icontains') return { look: operator, values };
  const equal: TextComparison = { look: kind === 'words' ? 'words' : 'equals', values };
  return operator === 'ne' || operator === 'nin' ? { none: [equal] } : equal;
}

/**
 * The members of a group with all conditions about the text as one, the last because they cost the
 * most. `group` is how the members are joined.
 */
export function gatherTextConditions(members: readonly Filter[], group: 'all' | 'any'): Filter[] {
  const text = members.filter((member) => textConditionOf(member) !== null);
  if (text.length < 2) return [...members];
  const others = members.filter((member) => !text.includes(member));
  return [...others, group === 'all' ? { all: text } : { any: text }];
}
