import type { Insertable } from 'kysely';
import type { DbContext } from './db-context.ts';
import type { DatabaseSchema } from './schema.ts';

type BatchInsertTable = 'memories' | 'history' | 'events';
type InsertedRow = { id: string; position: number };

type BatchInsertRows<T extends BatchInsertTable> = {
  rows: Insertable<DatabaseSchema[T]>[];
  /** Inserts one row; may return nothing if the position is not needed. */
  one: (row: Insertable<DatabaseSchema[T]>) => Promise<InsertedRow[]>;
};

/** Inserts rows in order, one by one with `one`, or in batches. */
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
  // All these tables have the columns, which the types of their union cannot say.
  const insert = db
    .insertInto(table as 'memories')
    .values(rows as Insertable<DatabaseSchema['memories']>[]);
  return insert.returning(['id', 'position']).execute();
}
