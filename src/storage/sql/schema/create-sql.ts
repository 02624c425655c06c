import type { Column, ColumnType, SqlEngine } from './columns.ts';
import type { Index, Table } from './table.ts';
import { type TableName, tableNames, tableOf } from './tables.ts';

/** The parts of DDL in which engines differ. */
export type EngineWords = {
  engine: SqlEngine;
  types: Record<ColumnType, string>;
  /** SQL after the type of a counter column; it may declare the primary key. */
  counter(table: { name: string } & Table, column: string): string;
  /** Whether a generated column is stored, or computed when it is read. */
  generated: 'stored' | 'virtual';
  counterIsKey: boolean;
  /** SQL after the list of columns. */
  options(table: Table): string;
};

/** The tables of an engine, in an order in which they can be created. */
export function tablesOf(engine: SqlEngine): TableName[] {
  return tableNames.filter((name) => isIn(tableOf(name), engine));
}

export function createTableSql(name: TableName, words: EngineWords): string {
  const table = { name, ...tableOf(name) };
  const own = Object.entries(table.columns).filter(([, column]) => isIn(column, words.engine));
  const names = new Set(own.map(([column]) => column));
  const hasKey = words.counterIsKey && own.some(([, { isCounter }]) => isCounter);
  const parts = [
    ...own.map(([column, type]) => `${column} ${columnSql({ table, column, type }, words)}`),
    ...(hasKey ? [] : [`primary key (${listed(table.primaryKey, names)})`]),
    ...(table.unique ?? [])
      .filter((one) => isIn(one, words.engine))
      .map(({ columns }) => `unique (${listed(columns, names)})`),
    ...foreignKeySql(table, names),
  ];
  return `create table ${name} (\n  ${parts.join(',\n  ')}\n) ${words.options(table)}`.trimEnd();
}

type TableColumn = { table: { name: string } & Table; column: string; type: Column };

function columnSql({ table, column, type }: TableColumn, words: EngineWords): string {
  if (type.isCounter) return `${words.types[type.type]} ${words.counter(table, column)}`;
  return [
    words.types[type.type],
    ...(type.isNullable ? [] : ['not null']),
    ...(type.generatedAs === undefined
      ? []
      : [`generated always as (${type.generatedAs}) ${words.generated}`]),
    ...(type.default === undefined ? [] : [`default ${type.default}`]),
    ...(type.isUnique ? ['unique'] : []),
    ...(type.references === undefined ? [] : [`references ${type.references}`]),
  ].join(' ');
}

/** If an engine has only one of the two columns, that one refers. */
function foreignKeySql({ foreignKey }: Table, names: ReadonlySet<string>): string[] {
  if (foreignKey === undefined) return [];
  const { columns, table, references } = foreignKey;
  const referred = references.filter((_, at) => names.has(columns[at] ?? ''));
  return [
    `foreign key (${listed(columns, names)}) references ${table} (${referred.join(', ')})
    on delete cascade`,
  ];
}

function listed(columns: readonly string[], names: ReadonlySet<string>): string {
  return columns.filter((column) => names.has(column)).join(', ');
}

/** The indexes of a table, one statement each. */
export function createIndexesSql(name: TableName, engine: SqlEngine): string[] {
  return (tableOf(name).indexes ?? [])
    .filter((index) => isIn(index, engine))
    .map((index) => createIndexSql(name, index, engine));
}

function createIndexSql(table: string, index: Index, engine: SqlEngine): string {
  const { name, columns, more, where, isUnique, gin } = index;
  const all = [...columns, ...(more?.[engine] ?? [])];
  return [
    `create ${isUnique ? 'unique ' : ''}index ${name} on ${table}`,
    `${gin === undefined ? '' : 'using gin '}(${all.join(', ')})`,
    ...(gin === undefined ? [] : [`with (${gin.settings})`]),
    ...(where === undefined ? [] : [`where ${where}`]),
  ].join(' ');
}

function isIn(part: { engine?: SqlEngine }, engine: SqlEngine): boolean {
  return part.engine === undefined || part.engine === engine;
}
