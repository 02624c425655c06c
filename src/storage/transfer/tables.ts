import { mergeLeaseKey } from '../sqlite/search/fts5-merge.ts';
import { transferKey } from '../tables/system/meta.ts';

/** A table that is moved from one store to another. */
export type TransferTable = {
  name: string;
  /** Orders the rows of a project, or of the whole table, in the same way on every engine. */
  key: readonly string[];
  /** Whether its rows are a project's. */
  isPerProject: boolean;
  /** Columns besides that of the project, where engines keep different ones; else all are moved. */
  columns?: readonly string[];
  /** Rows that stay where they are, by the first column of the key. */
  excludedKeys?: readonly string[];
  /** Of no use where vectors can't be kept. */
  needsVectors?: true;
  /** The column that counts up, where numbers must never be given out again. */
  counts?: string;
};

/**
 * All that is moved: what a row refers to comes before it. What is not here is made anew: the index
 * of words from the terms of the memories, and segments from the vectors.
 */
export const transferTables: readonly TransferTable[] = [
  sharedTable('meta', ['key'], { excludedKeys: ['schema', transferKey, mergeLeaseKey] }),
  sharedTable('accounts', ['number'], { counts: 'number' }),
  sharedTable('organizations', ['number'], { counts: 'number' }),
  sharedTable('projects', ['key'], { counts: 'key' }),
  sharedTable('members', ['position'], { counts: 'position' }),
  sharedTable('keys', ['position'], { counts: 'position' }),
  sharedTable('answers', ['id']),
  sharedTable('spaces', ['key'], { needsVectors: true, counts: 'key' }),
  sharedTable('vectors_wanted', ['space_key', 'position'], { needsVectors: true }),
  projectTable('entities', ['key'], { counts: 'key' }),
  projectTable('entity_totals', ['type']),
  projectTable('languages', ['language']),
  projectTable('memories', ['position'], { counts: 'position' }),
  projectTable('history', ['position'], { counts: 'position' }),
  projectTable('feedback', ['memory_id']),
  projectTable('relations', ['memory_id', 'number']),
  projectTable('events', ['position'], { counts: 'position' }),
  projectTable('jobs', ['position'], { counts: 'position' }),
  projectTable('job_parts', ['job_id', 'number'], {
    columns: ['job_id', 'number', 'decisions', 'results'],
  }),
  projectTable('webhooks', ['position'], { counts: 'position' }),
  projectTable('deliveries', ['position'], { counts: 'position' }),
  projectTable('exports', ['position'], { counts: 'position' }),
  projectTable('documents', ['kind', 'id']),
  projectTable('vectors', ['position', 'space_key'], {
    columns: ['position', 'space_key', 'vector'],
    needsVectors: true,
  }),
];

type TransferTableOptions = Partial<Omit<TransferTable, 'name' | 'key' | 'isProjects'>>;

function sharedTable(
  name: string,
  key: readonly string[],
  parts: TransferTableOptions = {},
): TransferTable {
  return { name, key, isPerProject: false, ...parts };
}

function projectTable(
  name: string,
  key: readonly string[],
  parts: TransferTableOptions = {},
): TransferTable {
  return { name, key, isPerProject: true, ...parts };
}
