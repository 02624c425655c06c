import * as memoryTables from './memory-tables.ts';
import * as searchTables from './search-tables.ts';
import type { Table } from './table.ts';
import * as tenantTables from './tenant-tables.ts';
import * as workTables from './work-tables.ts';

const { meta, accounts, organizations, projects, members, api_keys, idempotency_keys } =
  tenantTables;
const { embedding_models, embedding_queue, vectors, vector_segments, memory_fts } = searchTables;
const { entities, entity_totals, project_languages, memories, history, feedback, relations } =
  memoryTables;
const { events, jobs, job_steps, webhooks, deliveries, exports, documents } = workTables;

/** All tables by their names: a table comes after those that its rows refer to. */
export const tables = {
  ...{ meta, accounts, organizations, projects, members, api_keys, idempotency_keys },
  ...{ embedding_models, embedding_queue },
  ...{
    entities,
    entity_totals,
    project_languages,
    memories,
    memory_fts,
    history,
    feedback,
    relations,
  },
  ...{ events, jobs, job_steps, webhooks, deliveries, exports, documents },
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
