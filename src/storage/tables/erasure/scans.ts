import { sql } from 'kysely';
import { type EntityIds, entityIdField, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { EventType } from '../../../contract/schemas/event.ts';
import type { ErasureSubject, ProjectRef } from '../../../core/ports/index.ts';
import { partsBySize, partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { type RowScan, rowsMax } from './read-in-parts.ts';
import type { ErasableTable } from './tables.ts';

type MentionSearch = { table: ErasableTable; subject: ErasureSubject };

/**
 * Finds the rows that may mention the subject. Tables that grow with the memories have indexes
 * by entity: what a call keeps of a memory names no entity but the memory's own, so the rows of
 * others are not read. Of an erased entity, the texts of all are asked for its name.
 */
export async function scansFor(
  at: DbContext,
  project: ProjectRef,
  { table, subject }: MentionSearch,
): Promise<RowScan[]> {
  if (!table.isIndexedByOwner)
    return [{ order: table.primaryKey.filter((column) => column !== 'project_key') }];
  const owners = ownersOf(subject);
  const scans: RowScan[] = [];
  for (const column of entityIdFields) {
    const condition = isFirstOwner(at, owners, column);
    const values = [...owners.first[column]];
    const ranges = await findByIndex(at, project, { table, column, values });
    scans.push(...ranges.map((within) => ({ ...within, order: ['position'], condition })));
  }
  if (table.name === 'events') {
    const condition = allOf(
      entityIdFields.map((column) => isNoneOr(at, column, without(owners, column))),
    );
    const search = { table, column: 'event_type', values: typesWithoutOwners };
    const ranges = await findByIndex(at, project, search);
    const byTime = ['created_at', 'position'];
    scans.push(...ranges.map((within) => ({ ...within, order: byTime, condition })));
  }
  const all = [
    ...(owners.hasNone ? [allOf(entityIdFields.map(isNone))] : []),
    ...(subject.entity === null ? [] : [namesEntity(at, table, subject.entity)]),
  ];
  // By an index of the project, SQLite would sort all of its rows again for each part.
  const inProject = sql<boolean>`${at.dialect.unindexed(sql.ref('project_key'))} = ${project.key}`;
  return [...scans, ...all.map((condition) => ({ order: ['position'], inProject, condition }))];
}

/** Whether an event may tell of memories without naming their entities, as one of many memories. */
const hasOthers: Readonly<Record<EventType, boolean>> = {
  ADD: false,
  SEARCH: false,
  GET_ALL: false,
  UPDATE: true,
  DELETE: true,
  DELETE_ALL: true,
  DELETE_ENTITY: true,
  EXPORT: true,
  UNDO: true,
};

const typesWithoutOwners = Object.entries(hasOthers).flatMap(([type, has]) => (has ? [type] : []));

type OwnerField = keyof EntityIds;
type IdsByField = Readonly<Record<OwnerField, ReadonlySet<string>>>;

type SubjectOwners = {
  /** The first entity of each memory, which is the user for most. */
  first: IdsByField;
  all: IdsByField;
  /** Whether there are memories without any. */
  hasNone: boolean;
};

function ownersOf({ owners }: ErasureSubject): SubjectOwners {
  const [first, all] = [noIds(), noIds()];
  let hasNone = false;
  for (const ids of owners) {
    const ownerFields = entityIdFields.filter((field) => ids[field] !== null);
    for (const field of ownerFields) all[field].add(ids[field] ?? '');
    const [leading] = ownerFields;
    if (leading === undefined) hasNone = true;
    else first[leading].add(ids[leading] ?? '');
  }
  return { first, all, hasNone };
}

function noIds(): Record<OwnerField, Set<string>> {
  return { user_id: new Set(), agent_id: new Set(), app_id: new Set(), run_id: new Set() };
}

function without({ first, all }: SubjectOwners, field: OwnerField): Set<string> {
  return new Set([...all[field]].filter((id) => !first[field].has(id)));
}

/** Rows whose first entity this is, and whose others are among those of the memories. */
function isFirstOwner(at: DbContext, { all }: SubjectOwners, field: OwnerField): SqlCondition {
  const place = entityIdFields.indexOf(field);
  return allOf([
    ...entityIdFields.slice(0, place).map(isNone),
    ...entityIdFields.slice(place + 1).map((after) => isNoneOr(at, after, all[after])),
  ]);
}

function isNone(column: string): SqlCondition {
  return sql<boolean>`${sql.ref(column)} is null`;
}

function isNoneOr({ dialect }: DbContext, column: string, ids: ReadonlySet<string>): SqlCondition {
  if (ids.size === 0) return isNone(column);
  if (ids.size > comparedMax) return sql<boolean>`true`;
  const isOne = dialect.filter.isIn(sql.ref(column), [...ids]);
  return sql<boolean>`(${isNone(column)} or ${isOne})`;
}

/** To read some rows of others costs less than to hand long lists to each statement. */
const comparedMax = 1000;

function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** As a JSON string, in any of the texts; reading them tells whether it is the entity. */
function namesEntity(
  { dialect }: DbContext,
  { columns, owners }: ErasableTable,
  { type, id }: NonNullable<ErasureSubject['entity']>,
): SqlCondition {
  const field = entityIdField(type);
  const isOwn = owners.includes(field) ? [sql`${sql.ref(field)} = ${id}`] : [];
  const texts = [...columns.items, ...columns.emptied].map((column) =>
    dialect.filter.contains(sql.ref(column), JSON.stringify(id)),
  );
  return sql<boolean>`(${sql.join([...isOwn, ...texts], sql` or `)})`;
}

type IndexSearch = { table: ErasableTable; column: string; values: readonly string[] };

/** Conditions for an index; how many rows there are is counted first, which reads no row. */
async function findByIndex(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { table, column, values }: IndexSearch,
): Promise<Pick<RowScan, 'within' | 'isShort'>[]> {
  const ref = sql.ref(column);
  const ranges: Pick<RowScan, 'within' | 'isShort'>[] = [];
  for (const some of partsOf(values, valuesMax)) {
    const { rows } = await sql<{ value: string; total: number | string }>`
      select ${ref} as value, count(*) as total from ${sql.table(table.name)}
      where ${table.isOfProject(project)} and ${dialect.filter.isIn(ref, some)}
      group by ${ref}`.execute(db);
    const limits = { most: valuesMax, size: rowsMax, sizeOf: sizeOfPlace };
    for (const part of partsBySize(rows, limits)) {
      const [first, ...others] = part.map(({ value }) => value);
      const within =
        others.length === 0
          ? sql<boolean>`${ref} = ${first}`
          : sql<boolean>`${dialect.filter.isIn(ref, [first ?? '', ...others])}`;
      const isShort = part.reduce((sum, one) => sum + sizeOfPlace(one), 0) <= rowsMax;
      ranges.push({ within, isShort });
    }
  }
  return ranges;
}

const valuesMax = 1000;

function sizeOfPlace({ total }: { total: number | string }): number {
  return Number(total);
}
