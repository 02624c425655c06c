import { type RawBuilder, sql } from 'kysely';
import type { RowBatch, ScanCursor, TransferRow } from './endpoints.ts';
import type { TransferTable } from './tables.ts';

/** The target size of a batch; rows differ in size by a factor of thousands. */
const batchChars = 4 * 1024 * 1024;
const rowsMax = 1000;
const firstRows = 100;

/** Reads on from a cursor, in batches of a suitable number of rows. */
export async function* readInBatches(
  order: readonly string[],
  after: ScanCursor | null,
  read: (after: ScanCursor | null, limit: number) => Promise<TransferRow[]>,
): AsyncGenerator<RowBatch> {
  let limit = firstRows;
  for (let at = after; ; ) {
    const rows = await read(at, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    at = order.map((column) => last[column] as string | number); // keys are never null
    yield { rows, cursor: at };
    if (rows.length < limit) return;
    const size = rows.reduce((sum, row) => sum + estimateRowSize(row), 1);
    limit = Math.max(1, Math.min(rowsMax, 4 * limit, Math.floor((limit * batchChars) / size)));
  }
}

function estimateRowSize(row: TransferRow): number {
  let size = 0;
  for (const value of Object.values(row)) {
    size += typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 8;
  }
  return size;
}

/** The condition of rows after a cursor in this order. */
export function afterCursorSql(
  order: readonly string[],
  after: ScanCursor | null,
): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const [one = ''] = order;
  if (order.length === 1) return sql`${sql.ref(one)} > ${after[0]}`;
  return sql`(${sql.join(order.map((name) => sql.ref(name)))}) > (${sql.join([...after])})`;
}

/** The condition of rows that are moved: some rows of a table stay in their store. */
export function isTransferredSql({ key, excludedKeys }: TransferTable): RawBuilder<unknown> {
  if (excludedKeys === undefined) return sql`true`;
  return sql`${sql.ref(key[0] ?? '')} not in (${sql.join([...excludedKeys])})`;
}

export function columnListSql(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(name)));
}
