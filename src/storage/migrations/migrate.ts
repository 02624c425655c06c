import type { Database, SqlDialect } from '../sql/dialect.ts';
import { createInitialTables } from './001-initial-tables.ts';
import { addExpiryAndJobSteps } from './002-expiry-and-job-steps.ts';
import { addVectorTables } from './003-vectors.ts';
import { addExtraction } from './004-extraction.ts';
import { addLanguages } from './005-languages.ts';
import { createRelations } from './006-graph.ts';
import { addTotals } from './007-totals.ts';
import { indexEventTimes } from './008-event-times.ts';
import { indexShortIds } from './009-short-ids.ts';

/** One step of the schema; its number is its place in the list, counted from 1. */
export type Migration = (db: Database, dialect: SqlDialect) => Promise<void>;

const migrations: readonly Migration[] = [
  createInitialTables,
  addExpiryAndJobSteps,
  addVectorTables,
  addExtraction,
  addLanguages,
  createRelations,
  addTotals,
  indexEventTimes,
  indexShortIds,
];

export const schemaVersion = migrations.length;

/** Runs the steps after version `from` up to `to`, inside the caller's transaction. */
export async function runMigrations(
  db: Database,
  { dialect, from, to = schemaVersion }: { dialect: SqlDialect; from: number; to?: number },
): Promise<void> {
  for (const migration of migrations.slice(from, to)) await migration(db, dialect);
}
