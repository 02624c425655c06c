import { createHash, type Hash } from 'node:crypto';
import { columnsOf, type Move, projectOf, toPlain } from './copy.ts';
import type { MovedRow, MoveReader } from './sides.ts';
import type { MovedTable } from './tables.ts';

/** How many rows there are, and a hash of all that is in them. */
export type Content = { rows: number; hash: string };

/** What each table holds, by the key of the project; null has what is no project's. */
export type Contents = ReadonlyMap<string, ReadonlyMap<number | null, Content>>;

/** Reads a store whole. */
export async function contentsOf(move: Move, side: MoveReader): Promise<Contents> {
  const contents = new Map<string, ReadonlyMap<number | null, Content>>();
  for (const table of move.tables) {
    contents.set(table.name, await contentOf(move, side, table));
  }
  return contents;
}

async function contentOf(move: Move, side: MoveReader, table: MovedTable) {
  const columns = columnsOf(move, table);
  const sums = new Map<number | null, { rows: number; hash: Hash }>();
  const isSource = side === move.from;
  let count = 0;
  for await (const { rows } of side.walk(table, { columns })) {
    for (const row of rows) {
      const project = table.isProjects ? projectOf(row) : null;
      const sum = sums.get(project) ?? { rows: 0, hash: createHash('sha256') };
      sum.rows += 1;
      sum.hash.update(lineOf(isSource && move.isPlain ? toPlain(row) : row, columns));
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
function lineOf(row: MovedRow, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const value = row[column];
    if (!(value instanceof Float32Array)) return value;
    const { buffer, byteOffset, byteLength } = value;
    return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  });
  return `${JSON.stringify(values)}\n`;
}

/** Tables that differ, with the projects in which they do; null where it is no project's. */
export function differences(from: Contents, to: Contents): Map<string, ReadonlySet<number | null>> {
  const found = new Map<string, ReadonlySet<number | null>>();
  for (const [table, own] of from) {
    const other = to.get(table) ?? new Map<number | null, Content>();
    const projects = new Set([...own.keys(), ...other.keys()]);
    for (const project of projects) {
      if (own.get(project)?.hash === other.get(project)?.hash) projects.delete(project);
    }
    if (projects.size > 0) found.set(table, projects);
  }
  return found;
}
