import { sql } from 'kysely';
import type { DbContext } from '../sql/db-context.ts';
import { isTransferredSql } from './batches.ts';
import { writeCheckpoint } from './checkpoint.ts';
import { copyTable, inOwnedTransaction, type StoreTransfer } from './copy.ts';
import type { TransferTable } from './tables.ts';

type Differences = ReadonlyMap<string, ReadonlySet<number | null>>;

/** Copies again what differs, because the source has changed since it was copied. */
export async function recopyDifferences(
  move: StoreTransfer,
  different: Differences,
): Promise<void> {
  await inOwnedTransaction(move, async (enter) => {
    await writeCheckpoint((await enter(null)).db, {
      of: move.sourceId,
      by: move.ownerId,
      at: null,
    });
  });
  const tables = move.tables.filter(({ isPerProject }) => isPerProject);
  const places = tables.map((table) => ({ table, projects: differingProjects(table, different) }));
  const shared = move.tables.filter(({ isPerProject }) => !isPerProject);
  if (shared.some(({ name }) => different.has(name)))
    await recopySharedTables(move, shared, tables);
  for (const { table, projects } of places.toReversed())
    await deleteProjects(move, table, projects);
  for (const { table, projects } of places) {
    if (projects.size > 0) await copyTable(move, table, { projects, phase: 'renewed' });
  }
}

/** Rows derived from another table, or deleted with it, are copied again with it. */
const derivedTables: Record<string, string> = { memories: 'entities', job_steps: 'jobs' };

function differingProjects({ name }: TransferTable, different: Differences): ReadonlySet<number> {
  const own = [name, derivedTables[name] ?? name].flatMap((table) => [
    ...(different.get(table) ?? []),
  ]);
  return new Set(own.filter((project) => project !== null));
}

async function deleteProjects(
  move: StoreTransfer,
  table: TransferTable,
  projects: ReadonlySet<number>,
): Promise<void> {
  for (const project of projects) {
    await inOwnedTransaction(move, async (enter) => {
      await move.to.deleteProjectRows(await enter(project), table, project);
    });
  }
}

/** Other tables refer to these by key: rows are updated, and deleted if they are gone. */
const referencedTables = ['accounts', 'organizations', 'projects'];

async function recopySharedTables(
  move: StoreTransfer,
  shared: readonly TransferTable[],
  tables: readonly TransferTable[],
): Promise<void> {
  const kept = shared.filter(({ name }) => referencedTables.includes(name));
  const emptied = shared.filter(({ name }) => !referencedTables.includes(name));
  const sources: { table: TransferTable; sourceKeys: ReadonlySet<number> }[] = [];
  for (const table of kept) sources.push({ table, sourceKeys: await readKeys(move, table) });
  await inOwnedTransaction(move, async (enter) => {
    const at = await enter(null);
    for (const table of emptied.toReversed()) {
      await sql`delete from ${sql.table(table.name)} where ${isTransferredSql(table)}`.execute(
        at.db,
      );
    }
  });
  for (const { table, sourceKeys } of sources.toReversed()) {
    for (const key of await findDeletedKeys(move, table, sourceKeys)) {
      if (table.name === 'projects') {
        for (const own of tables.toReversed()) await deleteProjects(move, own, new Set([key]));
      }
      await inOwnedTransaction(move, async (enter) => deleteRow(await enter(null), table, key));
    }
  }
  for (const table of shared) {
    await copyTable(move, table, { phase: 'renewed', replace: kept.includes(table) });
  }
}

async function readKeys(
  { from }: StoreTransfer,
  table: TransferTable,
): Promise<ReadonlySet<number>> {
  const keys = new Set<number>();
  for await (const { rows } of from.scan(table, { columns: table.key })) {
    for (const row of rows) keys.add(Number(row[table.key[0] ?? '']));
  }
  return keys;
}

async function findDeletedKeys(
  { to }: StoreTransfer,
  table: TransferTable,
  sourceKeys: ReadonlySet<number>,
): Promise<number[]> {
  const deleted: number[] = [];
  for await (const { rows } of to.reader.scan(table, { columns: table.key })) {
    for (const row of rows) {
      const key = Number(row[table.key[0] ?? '']);
      if (!sourceKeys.has(key)) deleted.push(key);
    }
  }
  return deleted;
}

async function deleteRow(
  { db }: DbContext,
  { name, key }: TransferTable,
  value: number,
): Promise<void> {
  await sql`delete from ${sql.table(name)} where ${sql.ref(key[0] ?? '')} = ${value}`.execute(db);
}
