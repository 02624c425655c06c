import { sql } from 'kysely';
import type { SqlDialect } from '../sql/dialect.ts';
import { sqliteFilterDialect } from './filter.ts';
import { lazyVectorIndex } from './search/lazy-vector-index.ts';
import {
  sqliteAggregateJson,
  sqliteAggregateLines,
  sqlitePositionsTable,
  sqliteRunPlacesTable,
  sqliteTextIndex,
} from './search/text-index.ts';

/** About 1,200,000 vectors of 384 dimensions in blocks, and 35,000 beside them. */
const vectorCacheLimits = {
  blocks_max_bytes: 512 * 1024 * 1024,
  rows_max_bytes: 16 * 1024 * 1024,
};

export function createSqliteDialect(): SqlDialect {
  return {
    filter: sqliteFilterDialect,
    isServer: false,
    insertBatchSize: 1, // prepared once, and run for each
    positionScanMax: 200_000, // every index includes them
    // One process writes at a time.
    skipLocked: (query) => query,
    // The plus prevents an index on the project, whose rows would be sorted at each step.
    unindexed: (column) => sql`+${column}`,
    overwriteDeleted: async (db) => {
      await sql`pragma secure_delete = on`.execute(db);
      return async () => void (await sql`pragma secure_delete = off`.execute(db));
    },
    textIndex: sqliteTextIndex,
    runPlacesTable: sqliteRunPlacesTable,
    positionsTable: sqlitePositionsTable,
    aggregateLines: sqliteAggregateLines,
    aggregateJson: sqliteAggregateJson,
    vectorIndex: lazyVectorIndex(vectorCacheLimits),
  };
}
