import { invalid } from '../contract/errors.ts';
import { type EntityIds, entityIdFields } from '../contract/schemas/entity.ts';
import {
  type Filter,
  type FilterComparison,
  Filters,
  parseFilter,
} from '../contract/schemas/filter.ts';
import { type McpOptions, type Scope, type ScopeField, scopeFields } from './options.ts';
import { isReadOnly, lockedFields, type ToolRecord } from './tool.ts';

type Arguments = Readonly<Record<string, unknown>>;
type ScopeOptions = Pick<McpOptions, 'scope' | 'lock_scope'>;

/**
 * Fills the configured scope into the arguments of a call. Unlocked, it is a default for what the
 * call does not name, neither at top level nor in its filters; locked, it is all there is.
 */
export function applyScope(record: ToolRecord, args: Arguments, options: ScopeOptions) {
  const conditions = comparisonsOf(args.filters);
  const input: Record<string, unknown> = { ...args };
  const locked = lockedFields(options);
  for (const field of scopeFields) {
    const configured = options.scope[field];
    if (configured !== undefined && locked.includes(field)) {
      checkLocked(field, configured, { value: input[field], conditions });
      if (field in record.operation.input.shape) input[field] = configured;
    } else if (field in record.operation.input.shape) {
      fillDefault(record, input, { field, configured, conditions });
    }
  }
  return input;
}

/** The scope that a parsed input names, as results echo it. */
export function scopeOf(input: Arguments): Scope {
  const named = scopeFields.filter((field) => typeof input[field] === 'string');
  return Object.fromEntries(named.map((field) => [field, input[field]]));
}

/** Entity ids that the configuration locks. */
export function lockedEntities(options: ScopeOptions): Partial<EntityIds> {
  const locked: readonly string[] = lockedFields(options);
  const names = entityIdFields.filter((field) => locked.includes(field));
  return Object.fromEntries(names.map((field) => [field, options.scope[field]]));
}

type Default = {
  field: ScopeField;
  configured: string | undefined;
  conditions: readonly FilterComparison[];
};

/** `*` asks for any owner, which only reading may. */
function fillDefault(record: ToolRecord, input: Record<string, unknown>, given: Default): void {
  const { field, configured, conditions } = given;
  if (input[field] === '*') {
    if (!isReadOnly(record.operation)) throw invalid(field, '"*" is for reading; name one id');
    delete input[field];
    return;
  }
  const named = conditions.some((condition) => condition.field === field);
  if (input[field] === undefined || input[field] === null) {
    if (configured !== undefined && !named) input[field] = configured;
  }
}

type Given = { value: unknown; conditions: readonly FilterComparison[] };

function checkLocked(field: ScopeField, configured: string, given: Given): void {
  const values = given.conditions
    .filter((condition) => condition.field === field)
    .flatMap(({ operator, value }) => (operator === 'eq' || operator === 'in' ? value : ['*']));
  const others = [given.value ?? configured, ...values].some((value) => value !== configured);
  if (others) {
    throw invalid(
      field,
      `the scope of this server is locked to ${field} ${JSON.stringify(configured)}; leave it out`,
    );
  }
}

/** All comparisons of a wire filter, aliases resolved. Throws `invalid` on a malformed one. */
function comparisonsOf(filters: unknown): FilterComparison[] {
  if (filters === undefined || filters === null) return [];
  const read = Filters.safeParse(filters);
  if (!read.success) throw invalid('filters', read.error.issues[0]?.message ?? 'is malformed');
  return flatten(parseFilter(read.data));
}

function flatten(filter: Filter): FilterComparison[] {
  if ('all' in filter) return filter.all.flatMap(flatten);
  if ('any' in filter) return filter.any.flatMap(flatten);
  return 'none' in filter ? filter.none.flatMap(flatten) : [filter];
}
