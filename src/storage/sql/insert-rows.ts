import type { Insertable } from 'kysely';
import type { DbContext } from './db-context.ts';
import type { DatabaseSchema } from './schema.ts';

type BatchInsertTable = 'memories' | 'history' | 'events';
type InsertedRow = { id: string; position: number };

type BatchInsertRows<T extends BatchInsertTable> = {
  rows: Insertable<DatabaseSchema[T]>[];
  /** Inserts one; answers nothing where nobody needs its position. */
  one: (row: Insertable<DatabaseSchema[T]>) => Promise<InsertedRow[]>;
};

/** Inserts rows in their order, each for itself with `one` or many with each statement. */
export async function insertRows<T extends BatchInsertTable>(
  at: DbContext,
  table: T,
  { rows, one }: BatchInsertRows<T>,
): Promise<InsertedRow[]> {
  const { insertBatchSize } = at.dialect;
  const inserted: InsertedRow[] = [];
  for (let start = 0; start < rows.length; start += insertBatchSize) {
    const chunk = rows.slice(start, start + insertBatchSize);
    const [first] = chunk;
    if (first !== undefined && chunk.length === 1) inserted.push(...(await one(first)));
    else inserted.push(...(await insertChunk(at, table, chunk)));
  }
  return inserted;
}

async function insertChunk<T extends BatchInsertTable>(
  { db }: DbContext,
  table: T,
  rows: Insertable<DatabaseSchema[T]>[],
): Promise<InsertedRow[]> {
  // All have these columns, which the types of a table that is any of them can't say.
  const insert = db
    .insertInto(table as 'memories')
    .values(rows as Insertable<DatabaseSchema['memories']>[]);
  return insert.returning(['id', 'position']).execute();
}
