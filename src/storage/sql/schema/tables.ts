import { memoryTables } from './memory-tables.ts';
import { searchTables } from './search-tables.ts';
import type { Table } from './table.ts';
import { tenantTables } from './tenant-tables.ts';
import { workTables } from './work-tables.ts';

/** All tables by their names: a table comes after those that its rows refer to. */
export const tables = { ...tenantTables, ...memoryTables, ...workTables, ...searchTables };

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as TableName[]; // as the type says

export function findTable(name: string): Table | undefined {
  const known = tableNames.find((one) => one === name);
  return known && tableOf(known);
}

/** A table as one that has any columns, to walk over them. */
export function tableOf(name: TableName): Table {
  return tables[name];
}
