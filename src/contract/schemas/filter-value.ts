import * as z from 'zod';
import { limits } from '../limits.ts';
import { isoDayOf } from '../wall-clock.ts';
import { losesDigits } from './json.ts';
import { memoryStatuses, sourceClasses } from './memory.ts';

/** The kind of value in a filter field; it decides the operators and the comparison. */
type FilterValueKind =
  | 'id'
  | 'choice'
  | 'time'
  | 'date'
  | 'words'
  | 'names'
  | 'text'
  | 'flag'
  | 'json';

/** Every field of the filter language. Its column in storage has the same name. */
export const filterFields = {
  user_id: 'id',
  agent_id: 'id',
  app_id: 'id',
  run_id: 'id',
  id: 'id',
  created_at: 'time',
  updated_at: 'time',
  expiration_date: 'date',
  occurred_at: 'time',
  valid_from: 'time',
  valid_until: 'time',
  type: 'id',
  status: 'choice',
  source_class: 'choice',
  categories: 'names',
  keywords: 'words',
  text: 'text',
  immutable: 'flag',
  pinned: 'flag',
  metadata: 'json',
} as const satisfies Record<string, FilterValueKind>;

/** The values of fields of the kind `choice`: a misspelt one would silently match nothing. */
const filterChoices: Partial<Record<FilterField, readonly string[]>> = {
  status: memoryStatuses,
  source_class: sourceClasses,
};

export type FilterField = keyof typeof filterFields;

const fieldKeys = Object.keys(filterFields) as FilterField[]; // a literal has no other keys

/** The fields as a caller writes them. */
const filterFieldNames: readonly string[] = fieldKeys.map(wireName);

/** The filter language for agents, described once, in the tool that they use first. */
export const filterHelp =
  'Conditions by field, ANDed; AND, OR, NOT take arrays. ' +
  `Fields: ${filterFieldNames.join(', ')}. ` +
  'Values: equal, a list, or {eq, ne, in, nin, gt, gte, lt, lte, contains, icontains}; ' +
  '"*" is any';

function wireName(field: FilterField): string {
  return field === 'metadata' ? 'metadata.<key>' : field;
}

export type FilterScalar = string | number | boolean | null;

/** `exists` is `*` on the wire: any value except null. */
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

/** A mistake in a filter; the message is for the caller. */
export class FilterError extends Error {}

/** The field of a condition. */
export type FilterTarget = { field: FilterField; path: string[] };

/** A date or date-time with any offset, white space around it. */
const instantShape =
  /^\s*(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([Zz]|[+-]\d{2}:?\d{2})?)?\s*$/;

const noInstant = 'must be a date (YYYY-MM-DD) or date-time';

/** A date or date-time, as text. */
export const DateBound = z
  .string()
  .regex(instantShape, { error: noInstant, abort: true })
  .refine(isInstant, noInstant);

function isInstant(text: string): boolean {
  try {
    parseInstant({ field: 'created_at', path: [] }, text);
    return true;
  } catch {
    return false;
  }
}

/** Operators by wire name. */
export const operatorByWireName: Record<string, FilterOperator> = {
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

const orderingOperators = ['gt', 'gte', 'lt', 'lte'] as const;
const equalityOperators = ['eq', 'ne', 'in', 'nin', 'exists'] as const;
const containmentOperators = ['contains', 'icontains'] as const;

export const operatorsByKind: Record<FilterValueKind, readonly FilterOperator[]> = {
  id: [...equalityOperators, ...containmentOperators],
  time: [...equalityOperators, ...orderingOperators],
  date: [...equalityOperators, ...orderingOperators],
  choice: equalityOperators,
  words: ['eq', 'ne', 'in', 'nin', ...containmentOperators],
  names: [...equalityOperators, ...containmentOperators],
  text: ['eq', 'ne', ...containmentOperators],
  flag: ['eq', 'ne'],
  json: [...equalityOperators, ...orderingOperators, ...containmentOperators],
};

export function isBareDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

/**
 * Converts a date or date-time with any offset to an ISO 8601 instant in UTC; no offset means UTC.
 */
export function parseInstant(target: FilterTarget, value: unknown): string {
  const match = typeof value === 'string' ? instantShape.exec(value) : null;
  if (match !== null) {
    const [, day = '', clock, offset = 'Z'] = match;
    const time = Date.parse(clock === undefined ? day : `${day}T${clock}${offset}`);
    if (!Number.isNaN(time) && isRealDay(day)) return new Date(time).toISOString();
  }
  throw new FilterError(
    `${filterTargetName(target)} needs a date (YYYY-MM-DD) or date-time (ISO 8601)`,
  );
}

/** JavaScript reads February 30 as March 2. */
function isRealDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

export function parseScalar(
  target: FilterTarget,
  operator: FilterOperator,
  value: unknown,
): FilterScalar {
  const kind = filterFields[target.field];
  if (value === null && (operator === 'eq' || operator === 'ne')) return null;
  if (kind === 'flag') return parseBoolean(target, value);
  if (kind === 'date') return isoDayOf(parseInstant(target, value));
  if (kind === 'json' && operator !== 'contains' && operator !== 'icontains') {
    if (typeof value === 'number') return checkDigits(target, value);
    if (typeof value === 'boolean') return value;
  }
  if (kind === 'id' && typeof value === 'number') return String(value);
  const mayBeEmpty = kind === 'json' && (operator === 'eq' || operator === 'ne');
  if (typeof value !== 'string' || (value === '' && !mayBeEmpty)) {
    throw new FilterError(
      `${operatorWireName(operator)} on ${filterTargetName(target)} needs a text value`,
    );
  }
  const choices = filterChoices[target.field];
  if (choices !== undefined && !choices.includes(value)) {
    throw new FilterError(`${filterTargetName(target)} is one of ${choices.join(', ')}`);
  }
  if (value.length > limits.query_max_chars) {
    throw new FilterError(`a value holds more than ${limits.query_max_chars} characters`);
  }
  return value.normalize('NFC'); // as it is stored
}

/** None is stored, so it would find nothing. */
function checkDigits(target: FilterTarget, value: number): number {
  if (!losesDigits(value)) return value;
  throw new FilterError(
    `${filterTargetName(target)} is a whole number beyond ${Number.MAX_SAFE_INTEGER}; write it as text`,
  );
}

function parseBoolean(target: FilterTarget, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw new FilterError(`${filterTargetName(target)} needs true or false`);
}

export function allowedOperators({ field }: FilterTarget): string[] {
  return operatorsByKind[filterFields[field]].map(operatorWireName);
}

/** What a filter can be made of: each field with its operators. */
export function filterParameters() {
  return fieldKeys.map((field) => {
    return { name: wireName(field), operators: allowedOperators({ field, path: [] }) };
  });
}

export function operatorWireName(operator: FilterOperator): string {
  return operator === 'exists' ? '*' : operator;
}

export function filterTargetName(target: FilterTarget): string {
  return [target.field, ...target.path].join('.').slice(0, 100);
}

export function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
