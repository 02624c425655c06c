import { sql } from 'kysely';
import type { Instant } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';

type Old = { instant: Instant; limit: number; settled?: SqlCondition };

/**
 * Deletes what is older than an instant, and settled; returns the number of rows. By project, using
 * its time index: an index over all rows would slow down each insert.
 */
export async function deleteOldRows(
  { db }: DbContext,
  name: 'events' | 'exports' | 'recalls',
  { instant, limit, settled = sql<boolean>`true` }: Old,
): Promise<number> {
  const table = sql.table(name);
  const old = sql`select ${table}.position from projects cross join ${table}
    where ${table}.project_key = projects.key and ${table}.created_at < ${instant} and ${settled}
    limit ${limit}`;
  const { numDeletedRows } = await db
    .deleteFrom(name)
    .where(sql<boolean>`position in (${old})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
