import { sql } from 'kysely';
import type { At } from '../tables/at.ts';
import { moves } from './batches.ts';
import { copyTable, inTurn, type Move } from './copy.ts';
import { putMarker } from './marker.ts';
import type { MovedTable } from './tables.ts';

type Different = ReadonlyMap<string, ReadonlySet<number | null>>;

/** Copies anew what differs: the source has changed since it was copied. */
export async function renew(move: Move, different: Different): Promise<void> {
  await inTurn(move, async (enter) => {
    await putMarker((await enter(null)).db, { of: move.of, by: move.by, at: null });
  });
  const tables = move.tables.filter(({ isProjects }) => isProjects);
  const places = tables.map((table) => ({ table, projects: projectsOf(table, different) }));
  const shared = move.tables.filter(({ isProjects }) => !isProjects);
  if (shared.some(({ name }) => different.has(name))) await renewShared(move, shared, tables);
  for (const { table, projects } of places.toReversed()) await clear(move, table, projects);
  for (const { table, projects } of places) {
    if (projects.size > 0) await copyTable(move, table, { projects, phase: 'renewed' });
  }
}

/** What is made from rows of another table is made anew with it, and so is what goes with them. */
const follows: Record<string, string> = { memories: 'entities', job_parts: 'jobs' };

function projectsOf({ name }: MovedTable, different: Different): ReadonlySet<number> {
  const own = [name, follows[name] ?? name].flatMap((table) => [...(different.get(table) ?? [])]);
  return new Set(own.filter((project) => project !== null));
}

async function clear(move: Move, table: MovedTable, projects: ReadonlySet<number>): Promise<void> {
  for (const project of projects) {
    await inTurn(move, async (enter) => {
      await move.to.clear(await enter(project), table, project);
    });
  }
}

/** Others refer to these by their keys: what is there is brought up to date, what is gone goes. */
const referred = ['accounts', 'organizations', 'projects'];

async function renewShared(
  move: Move,
  shared: readonly MovedTable[],
  tables: readonly MovedTable[],
): Promise<void> {
  const kept = shared.filter(({ name }) => referred.includes(name));
  const emptied = shared.filter(({ name }) => !referred.includes(name));
  const keys = new Map<string, ReadonlySet<number>>();
  for (const table of kept) keys.set(table.name, await keysIn(move, table));
  await inTurn(move, async (enter) => {
    const at = await enter(null);
    for (const table of emptied.toReversed()) {
      await sql`delete from ${sql.table(table.name)} where ${moves(table)}`.execute(at.db);
    }
  });
  for (const table of kept.toReversed()) {
    for (const key of await goneFrom(move, table, keys.get(table.name) ?? new Set())) {
      if (table.name === 'projects') {
        for (const own of tables.toReversed()) await clear(move, own, new Set([key]));
      }
      await inTurn(move, async (enter) => remove(await enter(null), table, key));
    }
  }
  for (const table of shared) {
    await copyTable(move, table, { phase: 'renewed', replace: kept.includes(table) });
  }
}

async function keysIn({ from }: Move, table: MovedTable): Promise<ReadonlySet<number>> {
  const keys = new Set<number>();
  for await (const { rows } of from.walk(table, { columns: table.key })) {
    for (const row of rows) keys.add(Number(row[table.key[0] ?? '']));
  }
  return keys;
}

async function goneFrom(
  { to }: Move,
  table: MovedTable,
  there: ReadonlySet<number>,
): Promise<number[]> {
  const gone: number[] = [];
  for await (const { rows } of to.reader.walk(table, { columns: table.key })) {
    for (const row of rows) {
      const key = Number(row[table.key[0] ?? '']);
      if (!there.has(key)) gone.push(key);
    }
  }
  return gone;
}

async function remove({ db }: At, { name, key }: MovedTable, value: number): Promise<void> {
  await sql`delete from ${sql.table(name)} where ${sql.ref(key[0] ?? '')} = ${value}`.execute(db);
}
