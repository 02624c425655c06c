import type { Database, Dialect } from '../dialects/dialect.ts';
import { createFirstTables } from './001-first-tables.ts';
import { addUpkeep } from './002-upkeep.ts';
import { createVectorTables } from './003-vectors.ts';
import { addUnderstanding } from './004-understanding.ts';
import { addLanguages } from './005-languages.ts';
import { createRelations } from './006-graph.ts';
import { addTotals } from './007-totals.ts';
import { indexEventTimes } from './008-event-times.ts';
import { indexShortIds } from './009-short-ids.ts';

/** One step of the schema; its number is its place in the list, counted from 1. */
export type Migration = (db: Database, dialect: Dialect) => Promise<void>;

const migrations: readonly Migration[] = [
  createFirstTables,
  addUpkeep,
  createVectorTables,
  addUnderstanding,
  addLanguages,
  createRelations,
  addTotals,
  indexEventTimes,
  indexShortIds,
];

export const schemaVersion = migrations.length;

/** Runs the steps after version `from` up to `to`, inside the caller's transaction. */
export async function migrate(
  db: Database,
  { dialect, from, to = schemaVersion }: { dialect: Dialect; from: number; to?: number },
): Promise<void> {
  for (const migration of migrations.slice(from, to)) await migration(db, dialect);
}
