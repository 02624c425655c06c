import { sql } from 'kysely';
import type { SchemaStep } from '../../src/storage/migrations/steps.ts';

/** A step as a release may have one: a new column, and a value for it in each row. */
export const addWeight: SchemaStep = async (db, { types }) => {
  await sql.raw(`alter table memories add column weight ${types.bigint}`).execute(db);
  await sql`update memories set weight = 2 * position`.execute(db);
};
