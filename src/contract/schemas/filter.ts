import * as z from 'zod';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { instantsOfDay } from '../wall-clock.ts';
import {
  allowedOperators,
  FilterError,
  type FilterField,
  type FilterOperator,
  type FilterScalar,
  type FilterTarget,
  filterFields,
  filterTargetName,
  isBareDate,
  operatorByWireName,
  operatorsByKind,
  operatorWireName,
  parseInstant,
  parseScalar,
  quoteName,
} from './filter-value.ts';
import { Metadata, parseIfJson } from './json.ts';

export {
  type FilterField,
  type FilterOperator,
  type FilterScalar,
  filterFields,
} from './filter-value.ts';

/** Other names of fields. */
export const fieldAliases = new Map<string, FilterField>([
  ['userId', 'user_id'],
  ['agentId', 'agent_id'],
  ['appId', 'app_id'],
  ['runId', 'run_id'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
  ['memory_id', 'id'],
  ['memory_ids', 'id'],
]);

/**
 * A parsed filter. `path` leads into metadata and is empty for other fields. Values of time fields
 * are ISO 8601 instants in UTC with milliseconds, those of date fields YYYY-MM-DD. A bare date as a
 * bound of a time field is already widened to its whole day.
 */
export type Filter = { all: Filter[] } | { any: Filter[] } | { none: Filter[] } | FilterComparison;

export type FilterComparison = {
  field: FilterField;
  path: string[];
  operator: FilterOperator;
  /** A list for `in` and `nin`, null for `exists`, otherwise one value. */
  value: FilterScalar | FilterScalar[];
};

/** The filter tree on the wire: checked here, parsed by {@link parseFilter} where it is used. */
export const Filters = z.preprocess(
  (value, ctx) => {
    const read = parseIfJson(value);
    const message = filterProblem(read);
    if (message === null) return read;
    ctx.issues.push({ code: 'custom', message, input: value });
    return {};
  },
  z.record(z.string(), z.unknown()),
);

/** Metadata to match, in the form of `metadata` in `filters`. */
export const MetadataFilter = Metadata.superRefine((metadata, ctx) => {
  const message = filterProblem({ metadata });
  if (message !== null) ctx.addIssue({ code: 'custom', message });
});

/** True when {@link parseFilter} accepts it. */
export function isFilter(wire: unknown): boolean {
  return filterProblem(wire) === null;
}

function filterProblem(wire: unknown): string | null {
  try {
    parseFilter(wire);
    return null;
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
}

/**
 * Parses the filter language: a flat object (its keys are ANDed), AND / OR / NOT over arrays,
 * nested at most 8 levels deep, with at most 200 clauses, of which 20 look inside texts. Throws
 * {@link FilterError} on anything unknown, so that a misspelt filter never widens a result. A date
 * that something was stored on is a day of `timezone`; other dates are of the calendar.
 */
export function parseFilter(wire: unknown, timezone = 'UTC'): Filter {
  const clauses = { left: limits.filter_max_clauses };
  const filter = parseClause(wire, { depth: 1, clauses, timezone });
  checkScans(filter);
  return filter;
}

/** Refuses a filter that would take long for each memory. */
function checkScans(filter: Filter): void {
  const targets = listScans(filter);
  const excess = targets[limits.filter_max_scans];
  if (excess === undefined) return;
  throw new FilterError(
    `has too many conditions on texts and metadata (${targets.length}, the last on ` +
      `${filterTargetName(targets.at(-1) ?? excess)}); at most ${limits.filter_max_scans}`,
  );
}

/** The conditions that no index helps with, once for each time that texts are read for them. */
function listScans(filter: Filter): FilterTarget[] {
  if ('all' in filter) return filter.all.flatMap(listScans);
  if ('any' in filter) return filter.any.flatMap(listScans);
  if ('none' in filter) return filter.none.flatMap(listScans);
  const { field, operator, value } = filter;
  const kind = filterFields[field];
  const isPart = operator === 'contains' || operator === 'icontains';
  if (kind === 'words') return [value].flat().map(() => filter);
  return isPart || kind === 'text' || kind === 'json' ? [filter] : [];
}

/** True when the filter holds no condition, so that it matches everything. */
export function matchesEverything(filter: Filter): boolean {
  return 'all' in filter && filter.all.length === 0;
}

/** Names of the fields that a wire filter tree mentions anywhere, aliases resolved. */
export function mentionedFields(wire: unknown): Set<string> {
  const fields = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [key, value] of Object.entries(isObject(node) ? node : {})) {
      if (Object.hasOwn(groupByKeyword, key.toUpperCase())) [value].flat().forEach(visit);
      else fields.add(fieldAliases.get(key) ?? key);
    }
  };
  visit(wire);
  return fields;
}

type FilterParseState = { depth: number; clauses: { left: number }; timezone: string };

export const groupByKeyword: Record<string, 'all' | 'any' | 'none'> = {
  AND: 'all',
  OR: 'any',
  NOT: 'none',
};

function parseClause(wire: unknown, at: FilterParseState): Filter {
  if (!isObject(wire)) throw new FilterError('each condition must be an object');
  if (at.depth > limits.filter_max_depth) {
    throw new FilterError(`is nested too deep; at most ${limits.filter_max_depth} levels`);
  }
  const parts = Object.entries(wire).flatMap(([key, value]) => {
    at.clauses.left -= 1;
    if (at.clauses.left < 0) {
      throw new FilterError(`holds more than ${limits.filter_max_clauses} conditions`);
    }
    const group = groupByKeyword[key.toUpperCase()];
    return group === undefined ? parseField(key, value, at) : [parseGroup(key, value, at)];
  });
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { all: parts };
}

function parseGroup(key: string, value: unknown, at: FilterParseState): Filter {
  const members = Array.isArray(value) ? value : [value];
  if (members.length === 0) throw new FilterError(`${key} must hold at least one condition`);
  const inner = members.map((member) => parseClause(member, { ...at, depth: at.depth + 1 }));
  if (inner.some(matchesEverything)) {
    throw new FilterError(`${key} must not hold an empty condition`);
  }
  const group = groupByKeyword[key.toUpperCase()];
  if (group === 'any') return { any: inner };
  return group === 'none' ? { none: inner } : { all: inner };
}

function parseField(key: string, value: unknown, { timezone }: FilterParseState): Filter[] {
  const { field, path } = resolveField(key);
  if (field === 'metadata' && path.length === 0) return parseMetadata(value);
  return parseOperators({ field, path }, value, timezone);
}

function resolveField(key: string): { field: FilterField; path: string[] } {
  if (key.startsWith('metadata.')) {
    return { field: 'metadata', path: checkMetadataPath(key.split('.').slice(1)) };
  }
  const field = fieldAliases.get(key) ?? key;
  if (!isField(field)) {
    const allowed = [
      ...Object.keys(filterFields),
      'metadata.<key>',
      ...Object.keys(groupByKeyword),
    ];
    throw new FilterError(`unknown field ${quoteName(key)}; allowed: ${allowed.join(', ')}`);
  }
  return { field, path: [] };
}

function isField(name: string): name is FilterField {
  return Object.hasOwn(filterFields, name);
}

function parseMetadata(value: unknown): Filter[] {
  if (value === '*') return [{ field: 'metadata', path: [], operator: 'exists', value: null }];
  if (!isObject(value)) throw new FilterError('metadata must be an object of key and value');
  const visit = (node: Record<string, unknown>, path: string[]): Filter[] =>
    Object.entries(node).flatMap(([key, child]) => {
      const target = { field: 'metadata' as const, path: checkMetadataPath([...path, key]) };
      const nested =
        isObject(child) &&
        !Object.keys(child).every((name) => Object.hasOwn(operatorByWireName, name));
      return nested ? visit(child, target.path) : parseOperators(target, child);
    });
  return visit(value, []);
}

function checkMetadataPath(path: string[]): string[] {
  if (path.length > limits.metadata_max_levels) {
    throw new FilterError(`metadata has at most ${limits.metadata_max_levels} levels`);
  }
  if (path.some((key) => key === '' || /["\\]/.test(key) || key === '__proto__')) {
    throw new FilterError('a metadata key in a filter must not be empty or hold quotes');
  }
  return path.map((key) => key.normalize('NFC'));
}

function parseOperators(target: FilterTarget, value: unknown, timezone = 'UTC'): Filter[] {
  const compare = (operator: FilterOperator, operand: unknown) =>
    parseComparison(target, { operator, operand, timezone });
  if (value === '*') return [compare('exists', true)];
  if (Array.isArray(value)) return [compare('in', value)];
  if (!isObject(value)) return [compare('eq', value)];
  const entries = Object.entries(value);
  if (entries.length === 0) throw new FilterError(`${filterTargetName(target)} has no operator`);
  return entries.map(([name, operand]) => {
    const operator = Object.hasOwn(operatorByWireName, name) ? operatorByWireName[name] : undefined;
    if (operator === undefined) {
      const allowed = allowedOperators(target).join(', ');
      throw new FilterError(
        `unknown operator ${quoteName(name)} on ${filterTargetName(target)}; allowed: ${allowed}`,
      );
    }
    return compare(operator, operand);
  });
}

/** The value that a field is compared with, and the time zone of its dates. */
type Condition = { operator: FilterOperator; operand: unknown; timezone: string };

function parseComparison(target: FilterTarget, condition: Condition): Filter {
  const { operator, operand } = condition;
  const kind = filterFields[target.field];
  if (!operatorsByKind[kind].includes(operator)) {
    const allowed = allowedOperators(target).join(', ');
    throw new FilterError(
      `operator ${operatorWireName(operator)} cannot be used on ${filterTargetName(target)}; ` +
        `allowed: ${allowed}`,
    );
  }
  if (operator === 'exists') {
    const comparison: Filter = { ...target, operator, value: null };
    return operand === false ? { none: [comparison] } : comparison;
  }
  if (operator === 'in' || operator === 'nin') return parseListComparison(target, condition);
  if (kind === 'time') return parseTimeComparison(target, condition);
  return { ...target, operator, value: parseScalar(target, operator, operand) };
}

function parseListComparison(target: FilterTarget, condition: Condition): Filter {
  const { operator, operand } = condition;
  const list =
    typeof operand === 'string' ? operand.split(',').map((part) => part.trim()) : operand;
  if (!Array.isArray(list) || list.length === 0 || list.length > limits.batch_size_max) {
    throw new FilterError(
      `${operator} on ${filterTargetName(target)} needs a list of 1 to ${limits.batch_size_max} values`,
    );
  }
  if (filterFields[target.field] === 'time') {
    const isOn = { ...condition, operator: 'eq' } as const;
    const days = list.map((value) => parseTimeComparison(target, { ...isOn, operand: value }));
    return operator === 'in' ? { any: days } : { none: days };
  }
  return { ...target, operator, value: list.map((value) => parseScalar(target, 'eq', value)) };
}

/** A bare date means the whole day; as an upper bound it includes that day. */
function parseTimeComparison(
  target: FilterTarget,
  { operator, operand, timezone }: Condition,
): Filter {
  if (operand === null && (operator === 'eq' || operator === 'ne')) {
    return { ...target, operator, value: null };
  }
  if (!isBareDate(operand)) {
    return { ...target, operator, value: parseInstant(target, operand) };
  }
  const day = parseInstant(target, operand).slice(0, operand.length);
  const { begin, end } = instantsOfDay(day, isRecorded(target) ? timezone : 'UTC');
  const within: Filter = {
    all: [
      { ...target, operator: 'gte', value: begin },
      { ...target, operator: 'lt', value: end },
    ],
  };
  if (operator === 'eq') return within;
  if (operator === 'ne') return { none: [within] };
  if (operator === 'lte') return { ...target, operator: 'lt', value: end };
  if (operator === 'gt') return { ...target, operator: 'gte', value: end };
  return { ...target, operator, value: begin };
}

/** Days of events and of validity are kept as midnight in UTC, whatever the time zone. */
function isRecorded({ field }: FilterTarget): boolean {
  return field === 'created_at' || field === 'updated_at';
}
