import { type Compilable, sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter, FilterComparison } from '../../contract/schemas/filter.ts';
import type { Project, Selection } from '../../core/ports.ts';
import type { Condition, Database, Dialect } from '../dialects/dialect.ts';
import { type Prepared, prepared, type Values } from '../prepared.ts';
import type { At } from './at.ts';

/**
 * What nearly every search selects: memories of named entities, perhaps of some days. Statements
 * for these are built once; to build one takes longer than to run it.
 */
export type PlainSelection = {
  fields: readonly (keyof EntityIds)[];
  /** The entity by which the memories are to be looked up, where several are named. */
  by: keyof EntityIds | undefined;
  /** Whether it is of some days only. */
  isDated: boolean;
  values: PlainValues;
};

type PlainValues = EntityIds & {
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
export function plainOf(
  project: Project,
  { filter, latest_only, not_expired_on }: Selection,
  by?: keyof EntityIds,
): PlainSelection | null {
  const values: PlainValues = {
    user_id: null,
    agent_id: null,
    app_id: null,
    run_id: null,
    ...anyTime,
    project_key: project.key,
    latest_only: latest_only ? 1 : 0,
    not_expired_on: not_expired_on ?? anyTime.from,
  };
  if (!isPlain(filter, values)) return null;
  return {
    fields: entityIdFields.filter((field) => values[field] !== null),
    by,
    isDated: values.from !== anyTime.from || values.to !== anyTime.to,
    values,
  };
}

/** Takes up the values of the filter, as far as there is a place for each. */
function isPlain(filter: Filter, values: PlainValues): boolean {
  if ('all' in filter) return filter.all.every((part) => isPlain(part, values));
  return 'field' in filter && isPlainPart(filter, values);
}

const bounds: Partial<Record<string, keyof typeof anyTime>> = { gte: 'from', lt: 'to' };

function isPlainPart({ field, operator, value }: FilterComparison, values: PlainValues): boolean {
  if (typeof value !== 'string') return false;
  const bound = field === 'created_at' ? bounds[operator] : undefined;
  if (bound !== undefined && values[bound] === anyTime[bound]) {
    values[bound] = value;
    return true;
  }
  const id = operator === 'eq' ? entityIdFields.find((name) => name === field) : undefined;
  if (id === undefined || values[id] !== null) return false;
  values[id] = value;
  return true;
}

type Parts = { db: Database; dialect: Dialect; where: Condition };

/** A statement on plain selections, built once for each set of entities that they name. */
export function preparedPlain<V extends object, R>(
  build: (parts: Parts, value: Values<V>) => Compilable<R>,
): (at: At, plain: PlainSelection, values: V) => Promise<R[]> {
  const ofDialects = new WeakMap<Dialect, Map<string, Prepared<V & PlainValues, R>>>();
  return (at, plain, values) => {
    const { dialect } = at;
    const statements = ofDialects.get(dialect) ?? new Map();
    ofDialects.set(dialect, statements);
    const key = `${plain.fields} ${plain.isDated} ${plain.by}`;
    const statement: Prepared<V & PlainValues, R> =
      statements.get(key) ??
      prepared<V & PlainValues, R>((db, value) => {
        return build({ db, dialect, where: plainSql(plain, value) }, value);
      });
    statements.set(key, statement);
    return statement(at, { ...plain.values, ...values });
  };
}

function plainSql(
  { fields, isDated, by }: Omit<PlainSelection, 'values'>,
  value: Values<PlainValues>,
): Condition {
  // Where any time will do, a range of it would only lead to the indexes by time.
  const dated = isDated
    ? [sql`memories.created_at >= ${value('from')}`, sql`memories.created_at < ${value('to')}`]
    : [];
  const owned = fields.map((field) => {
    const column = sql.ref(`memories.${field}`);
    // Engines know nothing of sizes, and would as well read all memories of an app for one user's.
    const isOther = by !== undefined && by !== field;
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
