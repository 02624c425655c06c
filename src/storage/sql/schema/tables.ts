import * as memoryTables from './memory-tables.ts';
import * as searchTables from './search-tables.ts';
import type { Table } from './table.ts';
import * as tenantTables from './tenant-tables.ts';
import * as workTables from './work-tables.ts';

const { meta, accounts, organizations, projects, members, keys, answers } = tenantTables;
const { spaces, vectors_wanted, vectors, vector_segments, memory_index } = searchTables;
const { entities, entity_totals, languages, memories, history, feedback, relations } = memoryTables;
const { events, jobs, job_parts, webhooks, deliveries, exports, documents } = workTables;

/** All tables by their names: a table comes after those that its rows refer to. */
export const tables = {
  ...{ meta, accounts, organizations, projects, members, keys, answers },
  ...{ spaces, vectors_wanted },
  ...{ entities, entity_totals, languages, memories, memory_index, history, feedback, relations },
  ...{ events, jobs, job_parts, webhooks, deliveries, exports, documents },
  ...{ vectors, vector_segments },
};

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
