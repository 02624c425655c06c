import { type RawBuilder, sql } from 'kysely';
import type { ProjectRef } from '../../../core/ports/index.ts';
import { partsBySize } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import type { TextRow } from './mentions.ts';
import type { ErasableTable } from './tables.ts';

/** Some rows of a table, in the order of an index. */
export type RowScan = {
  /** The last columns of the index, which differ in each row. */
  order: readonly string[];
  /** The condition on the first columns of the index. */
  within?: SqlCondition;
  /** Limits the rows to the project where the index does not begin with it. */
  inProject?: SqlCondition;
  /** The rows to read; the others are only looked at. */
  condition?: SqlCondition;
  /** Whether one statement can read all the rows. */
  isShort?: boolean;
};

type RowsToRead = {
  table: ErasableTable;
  scan: RowScan;
  /** The columns to read. */
  read: readonly string[];
  /** The columns that hold texts, long or short. */
  texts: readonly string[];
};

/** Rows that a statement looks at, without their texts: that takes some milliseconds. */
export const rowsMax = 2000;

/** Limits the texts per statement: 1 MB takes a millisecond, and one event may have that. */
const bytesMax = 4_000_000;

/** SQLite returns the rows of a statement at once. */
const partLimits = {
  most: 500,
  size: bytesMax,
  sizeOf: ({ bytes }: TextRow) => Number(bytes),
};

/**
 * Reads rows of the project in parts. The next part begins after the last one, so that rows may
 * change or go in between. Sizes are read first, which reads no texts.
 */
export async function* readInParts(
  { db }: DbContext,
  project: ProjectRef,
  { table, scan, read, texts }: RowsToRead,
): AsyncGenerator<TextRow[]> {
  const { order, within = sql`true`, condition, isShort = false } = scan;
  const { inProject = table.isOfProject(project) } = scan;
  const from = sql`from ${sql.table(table.name)} where ${inProject} and ${within}`;
  const inOrder = sql`order by ${columnList(order)}`;
  const isAfter = (row: TextRow | undefined) => isBeyond(order, row, '>');
  const isWanted = condition === undefined ? sql`` : sql`and ${condition}`;
  const findEnd = async (after: RawBuilder<unknown>) => {
    const { rows } = await sql<TextRow>`select ${columnList(order)} ${from} ${after} ${inOrder}
      limit 1 offset ${rowsMax - 1}`.execute(db);
    return rows[0];
  };
  const columns = sql`${columnList(order)}, ${byteSize(texts)} as bytes`;
  for (let last: TextRow | undefined; ; ) {
    const end = condition === undefined || isShort ? undefined : await findEnd(isAfter(last));
    const { rows: sizes } = await sql<TextRow>`select ${columns} ${from} ${isAfter(last)}
      ${isBeyond(order, end, '<=')} ${isWanted} ${inOrder} limit ${rowsMax}`.execute(db);
    for (const part of partsBySize(sizes, partLimits)) {
      const range = sql`${isAfter(last)} ${isBeyond(order, part.at(-1), '<=')}`;
      const { rows } = await sql<TextRow>`select ${columnList(read)} ${from} ${range}
        ${isWanted} ${inOrder}`.execute(db);
      yield rows;
      last = part.at(-1);
    }
    if (end === undefined && sizes.length < rowsMax) return;
    last = end ?? last;
  }
}

function byteSize(texts: readonly string[]): RawBuilder<number> {
  const sizes = texts.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  return sql`${sql.join(sizes, sql` + `)}`;
}

function columnList(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Whether rows come after this one, or up to it; all do if there is none. */
function isBeyond(order: readonly string[], row: TextRow | undefined, side: '>' | '<=') {
  if (row === undefined) return sql``;
  const values = sql.join(order.map((name) => row[name]));
  return sql`and (${columnList(order)}) ${sql.raw(side)} (${values})`;
}
