import { createHash } from 'node:crypto';
import type { StoreDigest, TableDigest } from './compare.ts';
import type { StoreTransfer } from './copy.ts';

/** The digest of a table, or of a project's rows in it. */
export type TableReport = TableDigest & { table: string };

/** The counts of what was moved, which are the same in both stores. */
export type TransferReport = {
  /** Both addresses, without passwords. */
  from: string;
  to: string;
  rows: number;
  tables: TableReport[];
  projects: { org_id: string; project_id: string; tables: TableReport[] }[];
};

export async function createTransferReport(
  { from, to, tables }: StoreTransfer,
  contents: StoreDigest,
): Promise<TransferReport> {
  const whole = tables.map(({ name }) => ({ table: name, ...combineDigests(contents.get(name)) }));
  const rows = whole.reduce((sum, table) => sum + table.rows, 0);
  const projects: TransferReport['projects'] = [];
  const table = tables.find(({ name }) => name === 'projects');
  if (table === undefined) throw new Error('there is a table of projects');
  for await (const batch of from.scan(table, { columns: ['key', 'org_id', 'project_id'] })) {
    for (const { key, org_id, project_id } of batch.rows) {
      const own = tables.flatMap(({ name }): TableReport[] => {
        const content = contents.get(name)?.get(Number(key));
        return content === undefined ? [] : [{ table: name, ...content }];
      });
      projects.push({ org_id: String(org_id), project_id: String(project_id), tables: own });
    }
  }
  return { from: from.shown, to: to.reader.shown, rows, tables: whole, projects };
}

/** The hash of a table combines those of its projects, in the order of their keys. */
function combineDigests(content: ReadonlyMap<number | null, TableDigest> = new Map()): TableDigest {
  const parts = [...content].toSorted(([one], [other]) => (one ?? 0) - (other ?? 0));
  const hash = createHash('sha256');
  let rows = 0;
  for (const [project, part] of parts) {
    hash.update(`${project} ${part.hash}\n`);
    rows += part.rows;
  }
  return { rows, hash: hash.digest('hex') };
}
