import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { ApiError } from '../../contract/errors.ts';
import type { SchemaStep } from '../migrations/steps.ts';
import type { SqlDialect } from '../sql/dialect.ts';
import { createWorkNotifier, type WorkNotifier } from './connection/listen-notify.ts';
import { createPostgresPool, type PostgresOptions, type PostgresPool } from './connection/pool.ts';
import { postgresFilterDialect } from './filter.ts';
import { migratePostgres } from './schema/migrate.ts';
import { startHnswMaintenance } from './search/hnsw-maintenance.ts';
import {
  postgresAggregateJson,
  postgresAggregateLines,
  postgresPositionsTable,
  postgresRunPlacesTable,
  postgresTextIndex,
} from './search/text-index.ts';
import { ensureVectorTables, postgresVectorIndex } from './search/vector-index.ts';

export const postgresDialect: SqlDialect = {
  filter: postgresFilterDialect,
  isServer: true,
  insertBatchSize: 100,
  positionScanMax: 3_000, // in the rows themselves
  // Dead rows go with the next vacuum.
  overwriteDeleted: async () => async () => {},
  textIndex: postgresTextIndex,
  runPlacesTable: postgresRunPlacesTable,
  positionsTable: postgresPositionsTable,
  aggregateLines: postgresAggregateLines,
  aggregateJson: postgresAggregateJson,
  skipLocked: (query) => query.forUpdate().skipLocked(),
  unindexed: (column) => sql`${column}`,
  vectorIndex: postgresVectorIndex,
};

export type OpenedPostgres = {
  pool: PostgresPool;
  notifier: WorkNotifier;
  /** Without the extension, only keyword search works. */
  hasVectors: boolean;
  close(): Promise<void>;
};

export type OpenPostgresOptions = PostgresOptions & {
  /** Instead of those of this version. */
  steps?: readonly SchemaStep[] | undefined;
};

/** Connects to the database, and creates or upgrades its tables if needed. */
export async function openPostgres({
  steps,
  ...options
}: OpenPostgresOptions): Promise<OpenedPostgres> {
  const { log } = options;
  const pool = createPostgresPool(options);
  try {
    const hasVectors = await pool.asOwner(async (client) => {
      await migratePostgres(client, { log, shown: pool.shown, steps });
      return ensureVectorTables(client);
    });
    if (!hasVectors) {
      const { shown: database } = pool;
      log('warn', 'pgvector is not installed: only keyword search works', { database });
    }
    const notifier = createWorkNotifier(pool, log);
    const upkeep = hasVectors ? startHnswMaintenance(pool, log) : null;
    const close = async () => {
      // Immediately, so that no later call begins.
      const ended = pool.end();
      await Promise.all([notifier.stop(), upkeep?.stop()]);
      await ended;
    };
    return { pool, notifier, hasVectors, close };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Identifies the transactions that a new one would see. */
export async function readSnapshotId(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ seen: string }>(
    'select pg_current_snapshot()::text as seen',
  );
  return rows[0]?.seen ?? '';
}

export function backupUnsupported(): ApiError {
  return new ApiError('invalid', 'use pg_dump to back up a PostgreSQL database');
}
