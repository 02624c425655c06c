import type { Insertable } from 'kysely';
import type { Schema } from '../schema.ts';
import type { At } from './at.ts';

type Table = 'memories' | 'history' | 'events';
type Inserted = { id: string; position: number };

type Rows<T extends Table> = {
  rows: Insertable<Schema[T]>[];
  /** Inserts one; answers nothing where nobody needs its position. */
  one: (row: Insertable<Schema[T]>) => Promise<Inserted[]>;
};

/** Inserts rows in their order, each for itself with `one` or many with each statement. */
export async function insertRows<T extends Table>(
  at: At,
  table: T,
  { rows, one }: Rows<T>,
): Promise<Inserted[]> {
  const { rowsAtOnce } = at.dialect;
  const inserted: Inserted[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const chunk = rows.slice(start, start + rowsAtOnce);
    const [first] = chunk;
    if (first !== undefined && chunk.length === 1) inserted.push(...(await one(first)));
    else inserted.push(...(await insertChunk(at, table, chunk)));
  }
  return inserted;
}

async function insertChunk<T extends Table>(
  { db }: At,
  table: T,
  rows: Insertable<Schema[T]>[],
): Promise<Inserted[]> {
  // All have these columns, which the types of a table that is any of them can't say.
  const insert = db
    .insertInto(table as 'memories')
    .values(rows as Insertable<Schema['memories']>[]);
  return insert.returning(['id', 'position']).execute();
}
