import { type SqlBool, sql } from 'kysely';
import { invalid } from '../../contract/errors.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import {
  type Filter,
  type FilterComparison,
  type FilterField,
  type FilterScalar,
  filterFields,
} from '../../contract/schemas/filter.ts';
import type { FilterOperator } from '../../contract/schemas/filter-value.ts';
import type { Selection } from '../../core/ports/index.ts';
import type { FilterDialect, SqlColumn, SqlCondition } from './dialect.ts';
import type { MemoryRow } from './schema.ts';
import { gatherTextConditions, textConditionOf } from './text-condition.ts';

/** A list of days becomes two comparisons a day, and engines limit the values of a statement. */
const comparisonsMax = 5000;

export type SelectionSqlOptions = {
  /**
   * The entity whose index to use if the filter names several. Engines do not know how many
   * memories each has, and might read all memories of an app for those of a user.
   */
  narrowBy?: keyof EntityIds | undefined;
};

/** The rows of `memories` that a selection matches, as one condition. */
export function selectionSql(
  selection: Selection,
  dialect: FilterDialect,
  options: SelectionSqlOptions = {},
): SqlCondition {
  const { filter, latest_only, not_expired_on, status } = selection;
  // Few memories wait: their index is smaller than that of any entity.
  const byStatus = status === 'waiting';
  const conditions = requiredSql(filter, { dialect, byStatus, ...options });
  if (latest_only) conditions.push(sql`memories.replaced_by is null`);
  if (not_expired_on !== null) {
    const expiration_date = columnOf('expiration_date');
    conditions.push(sql`(${expiration_date} is null or ${expiration_date} >= ${not_expired_on})`);
  }
  if (status !== 'any') conditions.push(statusConditions[status]);
  if (selection.review_reason !== undefined) {
    conditions.push(sql`memories.review_reason = ${selection.review_reason}`);
  }
  return joinConditions('and', conditions);
}

/** `<> 'active'` is written like the condition of the index of waiting memories. */
const statusConditions = {
  active: sql<SqlBool>`memories.status = 'active'`,
  waiting: sql<SqlBool>`memories.status <> 'active'`,
  not_quarantined: sql<SqlBool>`memories.status <> 'quarantined'`,
};

type RequiredSqlOptions = SelectionSqlOptions & { dialect: FilterDialect; byStatus: boolean };

/** The required conditions of a filter, in the same order for equivalent filters. */
function requiredSql(
  filter: Filter,
  { dialect, byStatus, narrowBy }: RequiredSqlOptions,
): SqlCondition[] {
  if (countComparisons(filter) > comparisonsMax) {
    throw invalid('filters', `hold more than ${comparisonsMax} comparisons`);
  }
  const required = listRequired(filter);
  const indexed = byStatus ? null : required.some(isOfFew) ? 'user_id' : narrowBy;
  return gathered(required, 'all', dialect).map((part) => {
    const isNamed = isEntityComparison(part);
    const isOther = isNamed && indexed !== undefined && part.field !== indexed;
    return isOther
      ? comparisonSql(part, dialect, sql`(${columnOf(part.field)} || '')`)
      : treeSql(part, { dialect, exact: false });
  });
}

/** Few memories are pinned or instructions: their indexes are smaller than that of any entity. */
function isOfFew(filter: Filter): boolean {
  if (!('field' in filter)) return false;
  if (filter.field === 'pinned') return filter.value === (filter.operator === 'eq');
  return isOfInstructions(filter);
}

function isOfInstructions({ field, operator, value }: FilterComparison): boolean {
  return field === 'type' && operator === 'eq' && value === 'instruction';
}

/**
 * The members of a filter that must all be true: those about entities first, then those about the
 * creation time, then the rest as written.
 */
export function listRequired(filter: Filter): Filter[] {
  if (!('all' in filter)) return [filter];
  return filter.all
    .flatMap(listRequired)
    .map((part) => ({ part, rank: rankOf(part) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ part }) => part);
}

const leadingFields: readonly string[] = [...entityIdFields, 'created_at'];

/** `gte` sorts before `lt`. */
function rankOf(filter: Filter): number {
  const at = 'field' in filter ? leadingFields.indexOf(filter.field) : -1;
  if (at === -1) return 2 * leadingFields.length;
  return 2 * at + ('operator' in filter && filter.operator === 'lt' ? 1 : 0);
}

function isEntityComparison(filter: Filter): filter is FilterComparison {
  if (!('field' in filter)) return false;
  const isEntity = entityIdFields.some((field) => field === filter.field);
  return isEntity && (filter.operator === 'eq' || filter.operator === 'in');
}

/**
 * `exact`: inside a negation a comparison must be true or false, because NOT NULL is NULL.
 * Elsewhere NULL does not match either, and indexes support plain comparisons only.
 */
type FilterSqlContext = { dialect: FilterDialect; exact: boolean };

function treeSql(filter: Filter, context: FilterSqlContext): SqlCondition {
  const { dialect } = context;
  if ('field' in filter) {
    const comparison = comparisonSql(filter, dialect);
    return context.exact ? sql`((${comparison}) is true)` : sql`(${comparison})`;
  }
  const text = textConditionOf(filter);
  if (dialect.matchesText && text !== null) return dialect.matchesText(columnOf('text'), text);
  const within = (filters: Filter[], group: 'all' | 'any', exact = context.exact) =>
    gathered(filters, group, dialect).map((member) => treeSql(member, { dialect, exact }));
  if ('all' in filter) return joinConditions('and', within(filter.all, 'all'));
  if ('any' in filter) return joinConditions('or', within(filter.any, 'any'));
  return sql`not ${joinConditions('or', within(filter.none, 'any', true))}`;
}

function gathered(members: Filter[], group: 'all' | 'any', dialect: FilterDialect): Filter[] {
  return dialect.matchesText ? gatherTextConditions(members, group) : members;
}

/** As a balanced tree, because engines limit the depth of an expression. */
function joinConditions(operator: 'and' | 'or', conditions: readonly SqlCondition[]): SqlCondition {
  const [first] = conditions;
  if (first === undefined) return operator === 'and' ? sql`(1 = 1)` : sql`(1 = 0)`;
  if (conditions.length === 1) return first;
  const middle = Math.ceil(conditions.length / 2);
  const left = joinConditions(operator, conditions.slice(0, middle));
  const right = joinConditions(operator, conditions.slice(middle));
  return sql`(${left} ${sql.raw(operator)} ${right})`;
}

export function countComparisons(filter: Filter): number {
  if ('field' in filter) return 1;
  const members = 'all' in filter ? filter.all : 'any' in filter ? filter.any : filter.none;
  return members.reduce((sum, member) => sum + countComparisons(member), 0);
}

/** Fields that compare a column of another name. All other fields are named like their column. */
const otherColumns = { keywords: 'memory', text: 'memory' } as const;

function columnOf(field: FilterField): SqlColumn {
  const name: keyof MemoryRow = hasOtherColumn(field) ? otherColumns[field] : field;
  return sql.ref(`memories.${name}`);
}

function hasOtherColumn(field: FilterField): field is keyof typeof otherColumns {
  return Object.hasOwn(otherColumns, field);
}

function comparisonSql(
  comparison: FilterComparison,
  dialect: FilterDialect,
  column: SqlColumn = columnOf(comparison.field),
): SqlCondition {
  const { operator } = comparison;
  if (operator === 'ne' || operator === 'nin') {
    if (typeof comparison.value === 'boolean' && filterFields[comparison.field] === 'flag') {
      const other = { ...comparison, operator: 'eq', value: !comparison.value } as const;
      return comparisonSql(other, dialect, column);
    }
    const positive = { ...comparison, operator: operator === 'ne' ? 'eq' : 'in' } as const;
    return sql`not ((${comparisonSql(positive, dialect, column)}) is true)`;
  }
  const parts = { ...comparison, operator, column, dialect };
  // In the statement, like a flag: an index has only these.
  if (isOfInstructions(comparison)) return sql`${column} = 'instruction'`;
  switch (filterFields[comparison.field]) {
    case 'words':
      return textSql(parts);
    case 'names':
      return textListSql(parts);
    case 'json':
      return jsonSql(parts);
    case 'flag':
      return flagSql(parts);
    default:
      return scalarSql(parts);
  }
}

/** With 0 or 1 in the statement: SQLite uses a partial index only if it can see the value. */
function flagSql({ column, value }: ComparisonSqlParts): SqlCondition {
  return value === null ? sql`${column} is null` : sql`${column} = ${sql.raw(value ? '1' : '0')}`;
}

type ComparisonSqlParts = FilterComparison & {
  operator: Exclude<FilterOperator, 'ne' | 'nin'>;
  column: SqlColumn;
  dialect: FilterDialect;
};

function scalarSql({ column, operator, value, dialect }: ComparisonSqlParts): SqlCondition {
  switch (operator) {
    case 'exists':
      // Written unlike the indexes by entity: one of them would be read whole and then sorted.
      return sql`(${column} || '') is not null`;
    case 'contains':
      return dialect.contains(column, String(value));
    case 'icontains':
      return dialect.icontains(column, String(value));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return sql`${column} ${comparisonOperators[operator]} ${value}`;
    case 'eq':
    case 'in':
      return isAmongSql({ column, dialect, values: toList(value) });
  }
}

const comparisonOperators = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

function isAmongSql(parts: {
  column: SqlColumn;
  dialect: FilterDialect;
  values: FilterScalar[];
}): SqlCondition {
  const { column, dialect } = parts;
  const values = parts.values.filter((value) => value !== null).map(toColumnValue);
  const [only] = values;
  const among =
    only !== undefined && values.length === 1
      ? sql<boolean>`${column} = ${only}`
      : dialect.isIn(column, values);
  return values.length < parts.values.length ? sql`(${among} or ${column} is null)` : among;
}

/** Booleans are stored as 0 and 1. */
function toColumnValue(value: string | number | boolean): string | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

function textSql({ column, operator, value, dialect }: ComparisonSqlParts): SqlCondition {
  if (operator === 'contains') return dialect.contains(column, String(value));
  if (operator === 'icontains') return dialect.icontains(column, String(value));
  return dialect.containsWords(column, toTexts(value));
}

/** Null means that there is no category. */
function textListSql({ column, operator, value, dialect }: ComparisonSqlParts): SqlCondition {
  if (operator === 'exists') return sql`${column} <> '[]'`;
  if (operator === 'contains' || operator === 'icontains') {
    return dialect.listIcontains(column, String(value));
  }
  const has = dialect.listContains(column, toTexts(value));
  return toList(value).includes(null) ? sql`(${has} or ${column} = '[]')` : has;
}

function jsonSql({ column, path, operator, value, dialect }: ComparisonSqlParts): SqlCondition {
  const place = { column, path };
  switch (operator) {
    case 'exists':
      return path.length === 0 ? sql`${column} <> '{}'` : dialect.json.exists(place);
    case 'contains':
      return dialect.json.contains(place, String(value));
    case 'icontains':
      return dialect.json.icontains(place, String(value));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'string' || typeof value === 'number'
        ? dialect.json.compare(place, comparisonOperators[operator], value)
        : sql`(1 = 0)`; // booleans and null have no order
    case 'eq':
    case 'in':
      return dialect.json.isIn(place, toList(value));
  }
}

function toList(value: FilterScalar | FilterScalar[]): FilterScalar[] {
  return Array.isArray(value) ? value : [value];
}

function toTexts(value: FilterScalar | FilterScalar[]): string[] {
  return toList(value).filter((entry) => typeof entry === 'string');
}
