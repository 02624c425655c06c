import { createHash, type Hash } from 'node:crypto';
import { encodeVector } from '../sql/vector-codec.ts';
import { projectKeyOf, replaceNul, type StoreTransfer } from './copy.ts';
import type { TransferReader, TransferRow } from './endpoints.ts';
import type { TransferTable } from './tables.ts';

/** The number of rows, and a hash of their contents. */
export type TableDigest = { rows: number; hash: string };

/** The digest of each table by project key; null for rows that belong to no project. */
export type StoreDigest = ReadonlyMap<string, ReadonlyMap<number | null, TableDigest>>;

/** Reads a whole store. */
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

/** Values in the order of the columns; numbers as in JSON, vectors as bytes as a file has them. */
function serializeRow(row: TransferRow, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const value = row[column];
    if (!(value instanceof Float32Array)) return value;
    return Buffer.from(encodeVector(value)).toString('base64');
  });
  return `${JSON.stringify(values)}\n`;
}

/** Tables that differ, with the projects that differ in each; null for rows of no project. */
export function findDifferences(
  from: StoreDigest,
  to: StoreDigest,
): Map<string, ReadonlySet<number | null>> {
  const differing = new Map<string, ReadonlySet<number | null>>();
  for (const [table, own] of from) {
    const other = to.get(table) ?? new Map<number | null, TableDigest>();
    const projects = new Set([...own.keys(), ...other.keys()]);
    for (const project of projects) {
      if (own.get(project)?.hash === other.get(project)?.hash) projects.delete(project);
    }
    if (projects.size > 0) differing.set(table, projects);
  }
  return differing;
}
