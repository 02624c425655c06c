import { type RawBuilder, sql } from 'kysely';
import type { ProjectRef } from '../../../core/ports/index.ts';
import { partsBySize } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { TextRow } from './mentions.ts';
import type { ErasableTable } from './tables.ts';

type RowsToRead = {
  table: ErasableTable;
  /** The columns to read. */
  read: readonly string[];
  /** Those of them that hold texts, long or short. */
  texts: readonly string[];
};

/** Rows per statement, which SQLite reads at once. */
const rowsMax = 200;

/** Of texts per statement: reading 1 MB takes about a millisecond, and an event may have that. */
const bytesMax = 4_000_000;

const partLimits = {
  most: rowsMax,
  size: bytesMax,
  sizeOf: ({ bytes }: TextRow) => Number(bytes),
};

/**
 * Reads all rows of the project, in the order of their keys. The next part begins after the last
 * key, so that rows may change or go in between. Sizes are read first, which reads no texts.
 */
export async function* readInParts(
  { db }: DbContext,
  project: ProjectRef,
  { table, read, texts }: RowsToRead,
): AsyncGenerator<TextRow[]> {
  const key = table.primaryKey.filter((column) => column !== 'project_key');
  const order = columnList(key);
  const size = sql.join(
    texts.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`),
    sql` + `,
  );
  const select = (what: RawBuilder<unknown>, isWanted: RawBuilder<unknown>) =>
    sql<TextRow>`select ${what} from ${sql.table(table.name)}
      where ${table.isOfProject(project)} ${isWanted} order by ${order} limit ${rowsMax}`;
  for (let last: TextRow | undefined; ; ) {
    const after = isBeyond(key, last, '>');
    const { rows: sizes } = await select(sql`${order}, ${size} as bytes`, after).execute(db);
    for (const part of partsBySize(sizes, partLimits)) {
      const end = part.at(-1);
      const isWanted = sql`${isBeyond(key, last, '>')} ${isBeyond(key, end, '<=')}`;
      const { rows } = await select(columnList(read), isWanted).execute(db);
      yield rows;
      last = end;
    }
    if (sizes.length < rowsMax) return;
  }
}

function columnList(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Whether rows come after this one, or up to it; all do if there is none. */
function isBeyond(key: readonly string[], row: TextRow | undefined, side: '>' | '<=') {
  if (row === undefined) return sql``;
  const values = sql.join(key.map((name) => row[name]));
  return sql`and (${columnList(key)}) ${sql.raw(side)} (${values})`;
}
