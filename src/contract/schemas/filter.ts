import * as z from 'zod';
import { limits } from '../limits.ts';
import { isObject, readJson } from './json.ts';

/** What a filter field holds, which decides its operators and how it is compared. */
export type FilterKind = 'id' | 'time' | 'date' | 'words' | 'names' | 'text' | 'flag' | 'json';

export const filterFields = {
  user_id: 'id',
  agent_id: 'id',
  app_id: 'id',
  run_id: 'id',
  id: 'id',
  created_at: 'time',
  updated_at: 'time',
  expiration_date: 'date',
  keywords: 'words',
  categories: 'names',
  text: 'text',
  immutable: 'flag',
  metadata: 'json',
} as const satisfies Record<string, FilterKind>;

export type FilterField = keyof typeof filterFields;

const fieldAliases = new Map<string, FilterField>([
  ['userId', 'user_id'],
  ['agentId', 'agent_id'],
  ['appId', 'app_id'],
  ['runId', 'run_id'],
  ['createdAt', 'created_at'],
  ['updatedAt', 'updated_at'],
  ['memory_id', 'id'],
  ['memory_ids', 'id'],
]);

export type FilterScalar = string | number | boolean | null;

/** `exists` is the wire's `*`: any value that is not null. */
export type FilterOperator =
  | 'eq'
  | 'ne'
  | 'in'
  | 'nin'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'contains'
  | 'icontains'
  | 'exists';

/**
 * A filter after parsing. `path` leads into metadata and is empty for other fields. Values of time
 * fields are ISO 8601 instants in UTC with milliseconds, of date fields YYYY-MM-DD; a bare date
 * that stood as a bound is already widened to the day it names.
 */
export type Filter = { all: Filter[] } | { any: Filter[] } | { none: Filter[] } | FilterComparison;

export type FilterComparison = {
  field: FilterField;
  path: string[];
  operator: FilterOperator;
  /** A list for `in` and `nin`, else one value; null for `exists`. */
  value: FilterScalar | FilterScalar[];
};

/** The wire's filter tree: checked here, read with {@link parseFilter} where it is used. */
export const Filters = z.preprocess(
  (value, ctx) => {
    const read = readJson(value);
    try {
      parseFilter(read);
    } catch (error) {
      if (!(error instanceof FilterProblem)) throw error;
      ctx.issues.push({ code: 'custom', message: error.message, input: value });
      return {};
    }
    return read;
  },
  z.record(z.string(), z.unknown()),
);

/** A date or date-time that bounds the creation time. */
export const DateBound = z.string().refine(isInstant, 'must be a date (YYYY-MM-DD) or date-time');

function isInstant(text: string): boolean {
  try {
    readInstant({ field: 'created_at', path: [] }, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the filter language: a flat object (its keys ANDed), AND / OR / NOT over arrays, nested at
 * most 8 deep with at most 200 clauses. Throws {@link FilterProblem} on anything it does not know,
 * so that a misspelt filter never widens a result.
 */
export function parseFilter(wire: unknown): Filter {
  return parseClause(wire, { depth: 1, clauses: { left: limits.filter_max_clauses } });
}

/** True when the filter holds no condition at all, so that it matches everything. */
export function matchesEverything(filter: Filter): boolean {
  return 'all' in filter && filter.all.length === 0;
}

/** Names of the fields that a wire filter tree mentions anywhere, aliases resolved. */
export function mentionedFields(wire: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [key, value] of Object.entries(isObject(node) ? node : {})) {
      if (Object.hasOwn(groups, key.toUpperCase())) [value].flat().forEach(visit);
      else found.add(fieldAliases.get(key) ?? key);
    }
  };
  visit(wire);
  return found;
}

export class FilterProblem extends Error {}

type Position = { depth: number; clauses: { left: number } };

const groups: Record<string, 'all' | 'any' | 'none'> = { AND: 'all', OR: 'any', NOT: 'none' };

function parseClause(wire: unknown, at: Position): Filter {
  if (!isObject(wire)) throw new FilterProblem('each condition must be an object');
  if (at.depth > limits.filter_max_depth) {
    throw new FilterProblem(`is nested too deep; at most ${limits.filter_max_depth} levels`);
  }
  const parts = Object.entries(wire).flatMap(([key, value]) => {
    at.clauses.left -= 1;
    if (at.clauses.left < 0) {
      throw new FilterProblem(`holds more than ${limits.filter_max_clauses} conditions`);
    }
    const group = groups[key.toUpperCase()];
    return group === undefined ? parseField(key, value) : [parseGroup(key, value, at)];
  });
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { all: parts };
}

function parseGroup(key: string, value: unknown, at: Position): Filter {
  const members = Array.isArray(value) ? value : [value];
  if (members.length === 0) throw new FilterProblem(`${key} must hold at least one condition`);
  const inner = members.map((member) => parseClause(member, { ...at, depth: at.depth + 1 }));
  if (inner.some(matchesEverything)) {
    throw new FilterProblem(`${key} must not hold an empty condition`);
  }
  const group = groups[key.toUpperCase()];
  if (group === 'any') return { any: inner };
  return group === 'none' ? { none: inner } : { all: inner };
}

function parseField(key: string, value: unknown): Filter[] {
  const { field, path } = resolveField(key);
  if (field === 'metadata' && path.length === 0) return parseMetadata(value);
  return parseOperators({ field, path }, value);
}

function resolveField(key: string): { field: FilterField; path: string[] } {
  if (key.startsWith('metadata.')) {
    return { field: 'metadata', path: checkPath(key.split('.').slice(1)) };
  }
  const field = fieldAliases.get(key) ?? key;
  if (!isField(field)) {
    const known = [...Object.keys(filterFields), 'metadata.<key>', ...Object.keys(groups)];
    throw new FilterProblem(`unknown field ${quote(key)}; allowed: ${known.join(', ')}`);
  }
  return { field, path: [] };
}

function isField(name: string): name is FilterField {
  return Object.hasOwn(filterFields, name);
}

function parseMetadata(value: unknown): Filter[] {
  if (value === '*') return [{ field: 'metadata', path: [], operator: 'exists', value: null }];
  if (!isObject(value)) throw new FilterProblem('metadata must be an object of key and value');
  const visit = (node: Record<string, unknown>, path: string[]): Filter[] =>
    Object.entries(node).flatMap(([key, child]) => {
      const target = { field: 'metadata' as const, path: checkPath([...path, key]) };
      const nested =
        isObject(child) && !Object.keys(child).every((name) => Object.hasOwn(operators, name));
      return nested ? visit(child, target.path) : parseOperators(target, child);
    });
  return visit(value, []);
}

function checkPath(path: string[]): string[] {
  if (path.length > limits.metadata_max_levels) {
    throw new FilterProblem(`metadata has at most ${limits.metadata_max_levels} levels`);
  }
  if (path.some((key) => key === '' || /["\\]/.test(key) || key === '__proto__')) {
    throw new FilterProblem('a metadata key in a filter must not be empty or hold quotes');
  }
  return path;
}

const operators: Record<string, FilterOperator> = {
  eq: 'eq',
  ne: 'ne',
  in: 'in',
  nin: 'nin',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  contains: 'contains',
  icontains: 'icontains',
  '*': 'exists',
};

const order = ['gt', 'gte', 'lt', 'lte'] as const;
const equality = ['eq', 'ne', 'in', 'nin', 'exists'] as const;
const containment = ['contains', 'icontains'] as const;

const operatorsOf: Record<FilterKind, readonly FilterOperator[]> = {
  id: [...equality, ...containment],
  time: [...equality, ...order],
  date: [...equality, ...order],
  words: ['eq', 'ne', 'in', 'nin', ...containment],
  names: [...equality, ...containment],
  text: ['eq', 'ne', ...containment],
  flag: ['eq', 'ne'],
  json: [...equality, ...order, ...containment],
};

type Target = { field: FilterField; path: string[] };

function parseOperators(target: Target, value: unknown): Filter[] {
  if (value === '*') return [{ ...target, operator: 'exists', value: null }];
  if (Array.isArray(value)) return [compare(target, 'in', value)];
  if (!isObject(value)) return [compare(target, 'eq', value)];
  const entries = Object.entries(value);
  if (entries.length === 0) throw new FilterProblem(`${nameOf(target)} holds no operator`);
  return entries.map(([name, operand]) => {
    const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (operator === undefined) {
      const known = allowedOperators(target).join(', ');
      throw new FilterProblem(
        `unknown operator ${quote(name)} on ${nameOf(target)}; allowed: ${known}`,
      );
    }
    return compare(target, operator, operand);
  });
}

function compare(target: Target, operator: FilterOperator, operand: unknown): Filter {
  const kind = filterFields[target.field];
  if (!operatorsOf[kind].includes(operator)) {
    const known = allowedOperators(target).join(', ');
    throw new FilterProblem(
      `operator ${wireName(operator)} does not fit ${nameOf(target)}; allowed: ${known}`,
    );
  }
  if (operator === 'exists') {
    const comparison: Filter = { ...target, operator, value: null };
    return operand === false ? { none: [comparison] } : comparison;
  }
  if (operator === 'in' || operator === 'nin') return compareList(target, operator, operand);
  if (kind === 'time') return compareTime(target, operator, operand);
  return { ...target, operator, value: readScalar(target, operator, operand) };
}

function compareList(target: Target, operator: 'in' | 'nin', operand: unknown): Filter {
  const list =
    typeof operand === 'string' ? operand.split(',').map((part) => part.trim()) : operand;
  if (!Array.isArray(list) || list.length === 0 || list.length > limits.batch_size_max) {
    throw new FilterProblem(
      `${operator} on ${nameOf(target)} needs a list of 1 to ${limits.batch_size_max} values`,
    );
  }
  if (filterFields[target.field] === 'time') {
    const days = list.map((value) => compareTime(target, 'eq', value));
    return operator === 'in' ? { any: days } : { none: days };
  }
  return { ...target, operator, value: list.map((value) => readScalar(target, 'eq', value)) };
}

/** A bare date names a whole day: as an upper bound it includes that day. */
function compareTime(target: Target, operator: FilterOperator, operand: unknown): Filter {
  if (operand === null && (operator === 'eq' || operator === 'ne')) {
    return { ...target, operator, value: null };
  }
  if (!isBareDate(operand)) {
    return { ...target, operator, value: readInstant(target, operand) };
  }
  const start = readInstant(target, operand);
  const end = new Date(Date.parse(start) + dayMs).toISOString();
  const within: Filter = {
    all: [
      { ...target, operator: 'gte', value: start },
      { ...target, operator: 'lt', value: end },
    ],
  };
  if (operator === 'eq') return within;
  if (operator === 'ne') return { none: [within] };
  if (operator === 'lte') return { ...target, operator: 'lt', value: end };
  if (operator === 'gt') return { ...target, operator: 'gte', value: end };
  return { ...target, operator, value: start };
}

const dayMs = 24 * 60 * 60 * 1000;

function isBareDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/** A date or date-time with any offset, as an ISO 8601 instant in UTC; no offset means UTC. */
function readInstant(target: Target, value: unknown): string {
  const shape =
    /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
  const match = typeof value === 'string' ? shape.exec(value.trim()) : null;
  if (match !== null) {
    const hasTime = match[0].length > 'YYYY-MM-DD'.length;
    const text = match[0].replace(' ', 'T') + (hasTime && match[1] === undefined ? 'Z' : '');
    const time = Date.parse(text);
    if (!Number.isNaN(time)) return new Date(time).toISOString();
  }
  throw new FilterProblem(`${nameOf(target)} needs a date (YYYY-MM-DD) or date-time (ISO 8601)`);
}

function readScalar(target: Target, operator: FilterOperator, value: unknown): FilterScalar {
  const kind = filterFields[target.field];
  if (value === null && (operator === 'eq' || operator === 'ne')) return null;
  if (kind === 'flag') return readFlag(target, value);
  if (kind === 'date') return readInstant(target, value).slice(0, 'YYYY-MM-DD'.length);
  if (kind === 'json' && operator !== 'contains' && operator !== 'icontains') {
    if (typeof value === 'number' || typeof value === 'boolean') return value;
  }
  if (kind === 'id' && typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') {
    throw new FilterProblem(`${wireName(operator)} on ${nameOf(target)} needs a text value`);
  }
  if (value.length > limits.query_max_chars) {
    throw new FilterProblem(`a value holds more than ${limits.query_max_chars} characters`);
  }
  return value;
}

function readFlag(target: Target, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new FilterProblem(`${nameOf(target)} needs true or false`);
}

function allowedOperators(target: Target): string[] {
  return operatorsOf[filterFields[target.field]].map(wireName);
}

function wireName(operator: FilterOperator): string {
  return operator === 'exists' ? '*' : operator;
}

function nameOf(target: Target): string {
  return [target.field, ...target.path].join('.').slice(0, 100);
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
