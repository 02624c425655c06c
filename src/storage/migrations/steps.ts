import type { Database } from '../sql/dialect.ts';
import type { EngineWords } from '../sql/schema/create-sql.ts';

/**
 * Changes the tables and rows of one schema to those of the next, on the engine whose words it
 * gets, in the transaction that upgrades the store. If it throws, the store stays as it was.
 */
export type SchemaStep = (db: Database, words: EngineWords) => Promise<void>;

/** From schema 1 to 2, from 2 to 3, and so on. New stores are made without them. */
export const schemaSteps: readonly SchemaStep[] = [];

/** The schema of the tables that `sql/schema/` describes: the one after the last step. */
export const schemaVersion = schemaAfter(schemaSteps);

export function schemaAfter(steps: readonly SchemaStep[]): number {
  return 1 + steps.length;
}

/** What is wrong with a store of a schema that this version can't read, and what to do. */
export function schemaProblem({
  version,
  known = schemaVersion,
  elsewhere,
}: {
  version: number;
  known?: number;
  /** The place for another store, such as `another database`. */
  elsewhere: string;
}): string {
  return (
    `was written by another version of mneme (schema ${version}; this one has schema ${known}); ` +
    'nothing was changed: use that version, or `mneme export` with it and `mneme import` here, ' +
    `into ${elsewhere}`
  );
}
