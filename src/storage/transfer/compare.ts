import { createHash, type Hash } from 'node:crypto';
import { projectKeyOf, replaceNul, type StoreTransfer } from './copy.ts';
import type { TransferReader, TransferRow } from './endpoints.ts';
import type { TransferTable } from './tables.ts';

/** How many rows there are, and a hash of all that is in them. */
export type TableDigest = { rows: number; hash: string };

/** What each table holds, by the key of the project; null has what is no project's. */
export type StoreDigest = ReadonlyMap<string, ReadonlyMap<number | null, TableDigest>>;

/** Reads a store whole. */
export async function digestStore(move: StoreTransfer, side: TransferReader): Promise<StoreDigest> {
  const contents = new Map<string, ReadonlyMap<number | null, TableDigest>>();
  for (const table of move.tables) {
    contents.set(table.name, await digestTable(move, side, table));
  }
  return contents;
}

async function digestTable(move: StoreTransfer, side: TransferReader, table: TransferTable) {
  const { columns } = table;
  const sums = new Map<number | null, { rows: number; hash: Hash }>();
  const isSource = side === move.from;
  let count = 0;
  for await (const { rows } of side.scan(table, { columns })) {
    for (const row of rows) {
      const project = table.isPerProject ? projectKeyOf(row) : null;
      const sum = sums.get(project) ?? { rows: 0, hash: createHash('sha256') };
      sum.rows += 1;
      sum.hash.update(serializeRow(isSource && move.replacesNul ? replaceNul(row) : row, columns));
      sums.set(project, sum);
    }
    count += rows.length;
    if (isSource) move.onProgress({ phase: 'compared', table: table.name, rows: count });
  }
  const ended = [...sums].map(([project, { rows, hash }]) => {
    return [project, { rows, hash: hash.digest('hex') }] as const;
  });
  return new Map(ended);
}

/** Values in the order of the columns; numbers as JSON has them, vectors by their bytes. */
function serializeRow(row: TransferRow, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const value = row[column];
    if (!(value instanceof Float32Array)) return value;
    const { buffer, byteOffset, byteLength } = value;
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  });
  return `${JSON.stringify(values)}\n`;
}

/** Tables that differ, with the projects in which they do; null where it is no project's. */
export function findDifferences(
  from: StoreDigest,
  to: StoreDigest,
): Map<string, ReadonlySet<number | null>> {
  const found = new Map<string, ReadonlySet<number | null>>();
  for (const [table, own] of from) {
    const other = to.get(table) ?? new Map<number | null, TableDigest>();
    const projects = new Set([...own.keys(), ...other.keys()]);
    for (const project of projects) {
      if (own.get(project)?.hash === other.get(project)?.hash) projects.delete(project);
    }
    if (projects.size > 0) found.set(table, projects);
  }
  return found;
}
