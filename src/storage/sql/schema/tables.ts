import { memoryTables } from './memory-tables.ts';
import { searchTables } from './search-tables.ts';
import { systemTables } from './system-tables.ts';
import type { Table } from './table.ts';
import { tenantTables } from './tenant-tables.ts';
import { workTables } from './work-tables.ts';

/** All tables by name: each comes after those that its rows refer to. */
export const tables = {
  ...systemTables,
  ...tenantTables,
  ...memoryTables,
  ...workTables,
  ...searchTables,
};

export type TableName = keyof typeof tables;

export const tableNames = Object.keys(tables) as TableName[]; // the keys of `tables`

export function findTable(name: string): Table | undefined {
  const tableName = tableNames.find((one) => one === name);
  return tableName && tableOf(tableName);
}

/** A table with unspecified columns, to iterate over them. */
export function tableOf(name: TableName): Table {
  return tables[name];
}
