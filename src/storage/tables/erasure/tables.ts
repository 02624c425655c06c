import { type RawBuilder, sql } from 'kysely';
import { entityIdFields } from '../../../contract/schemas/entity.ts';
import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Column, Erasure, SqlEngine } from '../../sql/schema/columns.ts';
import type { Table } from '../../sql/schema/table.ts';
import { type TableName, tableNames, tableOf } from '../../sql/schema/tables.ts';

/** A table of projects with text to erase, and its columns by their rules. */
export type ErasableTable = {
  name: TableName;
  /** The condition that a row belongs to a project. */
  isOfProject(project: ProjectRef): RawBuilder<boolean>;
  primaryKey: readonly string[];
  /** The column that names the memory of a row, which goes with it. */
  memory: string | undefined;
  /** The columns of entity ids. */
  owners: readonly string[];
  /** The owners that become null while the row stays. */
  named: readonly string[];
  columns: Readonly<Record<'row' | 'ends' | 'items' | 'emptied', readonly string[]>>;
  nullable: ReadonlySet<string>;
  /** Whether the rows of each entity are found, in the order of their positions. */
  isIndexedByOwner: boolean;
  hasId: boolean;
};

export function erasableTables({ dialect }: Pick<DbContext, 'dialect'>): ErasableTable[] {
  const engine = dialect.isServer ? 'postgres' : 'sqlite';
  return tableNames.flatMap((name) => {
    const table = tableOf(name);
    const { belongsTo, engine: only, memory, columns } = table;
    if (belongsTo !== 'project' || (only !== undefined && only !== engine)) return [];
    const primaryKey = table.primaryKey.filter((column) => isIn(columns[column], engine));
    const isOfProject = projectCondition(table, engine);
    const entries = Object.entries(columns).filter(([, column]) => column.type === 'text');
    const withRule = (rule: Erasure) =>
      entries.filter(([, { erasure }]) => erasure === rule).map(([column]) => column);
    const owners = entityIdFields.filter((field) => field in columns);
    const [row, ends] = [withRule('row'), withRule('ends')];
    const rules = { row, ends, items: withRule('items'), emptied: withRule('emptied') };
    const nullable = new Set(entries.filter(([, one]) => one.isNullable).map(([column]) => column));
    const named = withRule('named');
    const hasId = 'id' in columns;
    const keys = { name, primaryKey, memory, isOfProject };
    const isIndexedByOwner = owners.length > 0 && owners.every((id) => hasIndexBy(table, id));
    return { ...keys, owners, named, columns: rules, nullable, hasId, isIndexedByOwner };
  });
}

function isIn(column: Column | undefined, engine: SqlEngine): boolean {
  return (column?.engine ?? engine) === engine;
}

function hasIndexBy({ indexes = [] }: Table, owner: string): boolean {
  const ownerColumns = ['project_key', owner, 'position'];
  return indexes.some(({ columns }) => columns.join() === ownerColumns.join());
}

/** Rows without a project key of their own belong to the project of the row that they refer to. */
function projectCondition({ columns, foreignKey }: Table, engine: SqlEngine) {
  if (foreignKey === undefined || isIn(columns.project_key, engine)) {
    return ({ key }: ProjectRef) => sql<boolean>`project_key = ${key}`;
  }
  const at = foreignKey.columns.findIndex((column) => column !== 'project_key');
  const [column, referred] = [foreignKey.columns[at] ?? '', foreignKey.references[at] ?? ''];
  return ({ key }: ProjectRef) =>
    sql<boolean>`${sql.ref(column)} in (select ${sql.ref(referred)}
      from ${sql.table(foreignKey.table)} where project_key = ${key})`;
}
