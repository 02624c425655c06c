import { invalid } from '../errors.ts';
import { isReadOnly, type Operation } from '../operation.ts';
import { entityIdFields } from '../schemas/entity.ts';
import {
  type Filter,
  type FilterComparison,
  Filters,
  mentionedFields,
  parseFilter,
} from '../schemas/filter.ts';
import { parseIfJson } from '../schemas/json.ts';
import {
  lockedFields,
  type MemoryScope,
  type ScopeConfig,
  type ScopeField,
  scopeFields,
} from './memory-scope.ts';

type ScopedArguments = Readonly<Record<string, unknown>>;
type ScopedOperation = { operation: Operation };

/**
 * Fills the configured scope into the arguments of a call. Unlocked, it is a default for fields
 * that the call names neither at top level nor in its filters. Locked, it is the only scope.
 */
export function applyScope(
  record: ScopedOperation,
  args: ScopedArguments,
  { scope, locked }: { scope: MemoryScope; locked: readonly ScopeField[] },
): Record<string, unknown> {
  const { conditions, named } = readFilters(args.filters);
  const own = scopeFields.filter((field) => field in record.operation.input.shape);
  for (const field of locked) checkLocked(field, scope, { value: args[field], conditions });
  const input = withoutWildcards(record, args);
  for (const field of own) {
    const open =
      (args[field] ?? null) === null && !named.has(field) && !namesRecordById(args, field);
    if (open || locked.includes(field)) input[field] = scope[field];
  }
  return withoutUndefined(input);
}

/**
 * The same for programs and scripts. Nobody confirms a bulk delete there, so it gets no default
 * entity.
 */
export function applyScopeUnattended(
  record: ScopedOperation,
  args: ScopedArguments,
  options: ScopeConfig,
) {
  const isInBulk = record.operation.tool?.confirm !== undefined;
  const { scope } = isInBulk ? withoutEntities(options) : options;
  return applyScope(record, args, { scope, locked: lockedFields(options) });
}

function withoutEntities({ scope, lock_scope }: ScopeConfig): ScopeConfig {
  if (lock_scope) return { scope, lock_scope };
  const { org_id, project_id } = scope;
  return { scope: { ...(org_id && { org_id }), ...(project_id && { project_id }) }, lock_scope };
}

/** A default must not restrict a record that the call names by its id. */
function namesRecordById(args: ScopedArguments, field: ScopeField): boolean {
  const ids = [args.memory_export_id, args.memory_ids, args.memory_id, args.event_id];
  const isNamed = ids.some((id) => id !== undefined);
  return isNamed && entityIdFields.some((entity) => entity === field);
}

/** `*` means any owner and is allowed for reads only, so it is dropped from the arguments. */
function withoutWildcards(
  { operation }: ScopedOperation,
  args: ScopedArguments,
): Record<string, unknown> {
  const wild = entityIdFields.filter((field) => args[field] === '*');
  const [first] = wild;
  if (first !== undefined && !isReadOnly(operation)) {
    throw invalid(first, '"*" is allowed for reads only; name one id');
  }
  return { ...args, ...Object.fromEntries(wild.map((field) => [field, undefined])) };
}

function withoutUndefined(input: ScopedArguments): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

type RequestedScope = { value: unknown; conditions: readonly FilterComparison[] };

function checkLocked(field: ScopeField, scope: MemoryScope, requested: RequestedScope): void {
  const values = requested.conditions
    .filter((condition) => condition.field === field)
    .flatMap(({ operator, value }) => (operator === 'eq' || operator === 'in' ? value : ['*']));
  if ([requested.value ?? scope[field], ...values].every((value) => value === scope[field])) return;
  const only = `${field} ${JSON.stringify(scope[field])}`;
  throw invalid(field, `the scope of this server is locked to ${only}; leave it out`);
}

type ReadFilters = { conditions: FilterComparison[]; named: ReadonlySet<string> };

/**
 * All comparisons of a wire filter, aliases resolved, and the fields that it names. Throws
 * `invalid` on a malformed one.
 */
function readFilters(filters: unknown): ReadFilters {
  if (filters === undefined || filters === null) return { conditions: [], named: new Set() };
  const read = Filters.safeParse(filters);
  if (!read.success) throw invalid('filters', read.error.issues[0]?.message ?? 'is malformed');
  const conditions = flattenFilter(parseFilter(read.data));
  return { conditions, named: mentionedFields(parseIfJson(filters)) };
}

function flattenFilter(filter: Filter): FilterComparison[] {
  if ('all' in filter) return filter.all.flatMap(flattenFilter);
  if ('any' in filter) return filter.any.flatMap(flattenFilter);
  return 'none' in filter ? filter.none.flatMap(flattenFilter) : [filter];
}
