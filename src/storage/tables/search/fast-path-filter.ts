import { type Compilable, sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { Filter, FilterComparison } from '../../../contract/schemas/filter.ts';
import type { ProjectRef, Selection } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, SqlCondition, SqlDialect } from '../../sql/dialect.ts';
import {
  type PreparedStatement,
  prepareStatement,
  type StatementParameters,
} from '../../sql/prepared.ts';

/**
 * What nearly every search selects: memories of named entities, perhaps of some days. Statements
 * for these are built once; to build one takes longer than to run it.
 */
export type FastPathFilter = {
  fields: readonly (keyof EntityIds)[];
  /** The entity by which the memories are to be looked up, where several are named. */
  narrowBy: keyof EntityIds | undefined;
  /** Whether it is of some days only. */
  isDated: boolean;
  values: FastPathValues;
};

type FastPathValues = EntityIds & {
  project_key: number;
  /** `created_at` is at least `from` and before `to`. */
  from: string;
  to: string;
  latest_only: 0 | 1;
  not_expired_on: string;
};

/** They sort before and after every time, which begins with a digit. */
const anyTime = { from: '', to: '~' };

/** Null for a selection that asks for more. `by` is the entity with the fewest memories. */
export function toFastPathFilter(
  project: ProjectRef,
  { filter, latest_only, not_expired_on }: Selection,
  narrowBy?: keyof EntityIds,
): FastPathFilter | null {
  const values: FastPathValues = {
    user_id: null,
    agent_id: null,
    app_id: null,
    run_id: null,
    ...anyTime,
    project_key: project.key,
    latest_only: latest_only ? 1 : 0,
    not_expired_on: not_expired_on ?? anyTime.from,
  };
  if (!fitsFastPath(filter, values)) return null;
  return {
    fields: entityIdFields.filter((field) => values[field] !== null),
    narrowBy,
    isDated: values.from !== anyTime.from || values.to !== anyTime.to,
    values,
  };
}

/** Takes up the values of the filter, as far as there is a place for each. */
function fitsFastPath(filter: Filter, values: FastPathValues): boolean {
  if ('all' in filter) return filter.all.every((part) => fitsFastPath(part, values));
  return 'field' in filter && comparisonFits(filter, values);
}

const timeBounds: Partial<Record<string, keyof typeof anyTime>> = { gte: 'from', lt: 'to' };

function comparisonFits(
  { field, operator, value }: FilterComparison,
  values: FastPathValues,
): boolean {
  if (typeof value !== 'string') return false;
  const bound = field === 'created_at' ? timeBounds[operator] : undefined;
  if (bound !== undefined && values[bound] === anyTime[bound]) {
    values[bound] = value;
    return true;
  }
  const id = operator === 'eq' ? entityIdFields.find((name) => name === field) : undefined;
  if (id === undefined || values[id] !== null) return false;
  values[id] = value;
  return true;
}

type FastPathParts = { db: Database; dialect: SqlDialect; where: SqlCondition };

/** A statement on plain selections, built once for each set of entities that they name. */
export function prepareFastPath<V extends object, R>(
  build: (parts: FastPathParts, value: StatementParameters<V>) => Compilable<R>,
): (at: DbContext, plain: FastPathFilter, values: V) => Promise<R[]> {
  const ofDialects = new WeakMap<
    SqlDialect,
    Map<string, PreparedStatement<V & FastPathValues, R>>
  >();
  return (at, plain, values) => {
    const { dialect } = at;
    const statements = ofDialects.get(dialect) ?? new Map();
    ofDialects.set(dialect, statements);
    const key = `${plain.fields} ${plain.isDated} ${plain.narrowBy}`;
    const statement: PreparedStatement<V & FastPathValues, R> =
      statements.get(key) ??
      prepareStatement<V & FastPathValues, R>((db, value) => {
        return build({ db, dialect, where: fastPathSql(plain, value) }, value);
      });
    statements.set(key, statement);
    return statement(at, { ...plain.values, ...values });
  };
}

function fastPathSql(
  { fields, isDated, narrowBy }: Omit<FastPathFilter, 'values'>,
  value: StatementParameters<FastPathValues>,
): SqlCondition {
  // Where any time will do, a range of it would only lead to the indexes by time.
  const dated = isDated
    ? [sql`memories.created_at >= ${value('from')}`, sql`memories.created_at < ${value('to')}`]
    : [];
  const owned = fields.map((field) => {
    const column = sql.ref(`memories.${field}`);
    // Engines know nothing of sizes, and would as well read all memories of an app for one user's.
    const isOther = narrowBy !== undefined && narrowBy !== field;
    return sql`${isOther ? sql`(${column} || '')` : column} = ${value(field)}`;
  });
  const conditions = [
    sql`memories.project_key = ${value('project_key')}`,
    ...owned,
    ...dated,
    sql`(${value('latest_only')} = 0 or memories.replaced_by is null)`,
    sql`(memories.expiration_date is null
      or memories.expiration_date >= ${value('not_expired_on')})`,
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
