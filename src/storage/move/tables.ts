import { indexLease } from '../dialects/sqlite-index-upkeep.ts';

/** A table that is moved from one store to another. */
export type MovedTable = {
  name: string;
  /** Orders the rows of a project, or of the whole table, in the same way on every engine. */
  key: readonly string[];
  /** Whether its rows are a project's. */
  isProjects: boolean;
  /** Columns besides that of the project, where engines keep different ones; else all are moved. */
  columns?: readonly string[];
  /** Rows that stay where they are, by the first column of the key. */
  without?: readonly string[];
  /** Of no use where vectors can't be kept. */
  needsVectors?: true;
  /** The column that counts up, where numbers must never be given out again. */
  counts?: string;
};

/** What stands in `meta` while a store is being moved into. */
export const movingKey = 'moving';

/**
 * All that is moved: what a row refers to comes before it. What is not here is made anew: the index
 * of words from the terms of the memories, and segments from the vectors.
 */
export const movedTables: readonly MovedTable[] = [
  everybodys('meta', ['key'], { without: ['schema', movingKey, indexLease] }),
  everybodys('accounts', ['number'], { counts: 'number' }),
  everybodys('organizations', ['number'], { counts: 'number' }),
  everybodys('projects', ['key'], { counts: 'key' }),
  everybodys('members', ['position'], { counts: 'position' }),
  everybodys('keys', ['position'], { counts: 'position' }),
  everybodys('answers', ['id']),
  everybodys('spaces', ['key'], { needsVectors: true, counts: 'key' }),
  everybodys('vectors_wanted', ['space_key', 'position'], { needsVectors: true }),
  projects('entities', ['key'], { counts: 'key' }),
  projects('entity_totals', ['type']),
  projects('languages', ['language']),
  projects('memories', ['position'], { counts: 'position' }),
  projects('history', ['position'], { counts: 'position' }),
  projects('feedback', ['memory_id']),
  projects('relations', ['memory_id', 'number']),
  projects('events', ['position'], { counts: 'position' }),
  projects('jobs', ['position'], { counts: 'position' }),
  projects('job_parts', ['job_id', 'number'], {
    columns: ['job_id', 'number', 'decisions', 'results'],
  }),
  projects('webhooks', ['position'], { counts: 'position' }),
  projects('deliveries', ['position'], { counts: 'position' }),
  projects('exports', ['position'], { counts: 'position' }),
  projects('documents', ['kind', 'id']),
  projects('vectors', ['position', 'space_key'], {
    columns: ['position', 'space_key', 'vector'],
    needsVectors: true,
  }),
];

type Parts = Partial<Omit<MovedTable, 'name' | 'key' | 'isProjects'>>;

function everybodys(name: string, key: readonly string[], parts: Parts = {}): MovedTable {
  return { name, key, isProjects: false, ...parts };
}

function projects(name: string, key: readonly string[], parts: Parts = {}): MovedTable {
  return { name, key, isProjects: true, ...parts };
}
