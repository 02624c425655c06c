import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { ApiError } from '../../contract/errors.ts';
import type { Database } from '../dialects/dialect.ts';
import { type Contents, contentsOf, differences } from './compare.ts';
import { copyAll, inTurn, type Move, type MoveProgress } from './copy.ts';
import { dropMarker, nameOf, putMarker, readMarker } from './marker.ts';
import { renew } from './renew.ts';
import { type MoveReport, reportOf } from './report.ts';
import type { Marker, MoveReader, MoveWriter } from './sides.ts';
import { type MovedTable, movedTables } from './tables.ts';

export type { MoveProgress } from './copy.ts';
export type { MoveReport } from './report.ts';

/** Where a store is: a file of SQLite, or a PostgreSQL database. */
export type StorePlace = { path: string } | { url: string };

export type MoveOptions = {
  from: StorePlace;
  to: StorePlace;
  /** Goes on with a move into the same place that was stopped. */
  resume: boolean;
  onProgress: (progress: MoveProgress) => void;
  onWarning: (warning: string) => void;
};

/**
 * Copies a whole store into an empty place and compares both. The source is only read. A move that
 * is stopped leaves a place that no server uses; `resume` goes on there.
 *
 * @throws {ApiError} conflict where the target holds other data, or the source goes on changing
 */
export async function moveStore(options: MoveOptions): Promise<MoveReport> {
  if (isSame(options.from, options.to)) {
    throw new ApiError('invalid', '--from and --to are the same store');
  }
  const from = await openReader(options.from);
  try {
    await from.look();
    const to = await openWriter(options.to, options);
    try {
      return await carryOut({ from, to }, options);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function isSame(one: StorePlace, other: StorePlace): boolean {
  if ('url' in one) return 'url' in other && one.url === other.url;
  return 'path' in other && resolve(one.path) === resolve(other.path);
}

async function openReader(place: StorePlace): Promise<MoveReader> {
  if ('url' in place) {
    return (await import('../dialects/postgres-move-reader.ts')).openPostgresReader(place.url);
  }
  return (await import('../dialects/sqlite-move.ts')).openSqliteReader(resolve(place.path));
}

async function openWriter(place: StorePlace, how: { resume: boolean }): Promise<MoveWriter> {
  if ('url' in place) {
    return (await import('../dialects/postgres-move.ts')).openPostgresWriter(place.url, how);
  }
  return (await import('../dialects/sqlite-move.ts')).openSqliteWriter(resolve(place.path), how);
}

type Sides = { from: MoveReader; to: MoveWriter };

async function carryOut({ from, to }: Sides, options: MoveOptions): Promise<MoveReport> {
  const warn = options.onWarning;
  if (await from.isInUse()) {
    warn(`${from.shown} seems to be in use: what is written there after the end stays behind`);
  }
  const tables = await tablesOf({ from, to }, warn);
  const of = nameOf(await secretOf(from));
  const columns = await columnsOfAll({ from, to }, tables);
  const isPlain = 'url' in options.from || 'url' in options.to;
  const { onProgress } = options;
  const by = randomUUID();
  const move: Move = { from, to, tables, columns, isPlain, of, by, onProgress };
  const at = await takeOver(move);
  if (at !== null) await copyAll(move, at);
  const contents = await settle(move);
  await inTurn(move, async (enter) => dropMarker((await enter(null)).db));
  await to.finish();
  return reportOf(move, contents);
}

/** Without pgvector at one end there is no place for vectors, or there are none. */
async function tablesOf(
  { from, to }: Sides,
  warn: (text: string) => void,
): Promise<readonly MovedTable[]> {
  if (from.hasVectors && to.reader.hasVectors) return movedTables;
  const spaces = movedTables.filter(hasCounter).find(({ name }) => name === 'spaces');
  if (from.hasVectors && spaces && (await from.counterOf(spaces)) > 0) {
    warn(`${to.reader.shown} has no pgvector: vectors stay behind, and are made anew once it has`);
  }
  return movedTables.filter(({ needsVectors }) => !needsVectors);
}

async function secretOf(from: MoveReader): Promise<string> {
  const [meta] = movedTables;
  if (meta === undefined) throw new Error('there is a table of what is known of the store');
  for await (const { rows } of from.walk(meta, { columns: ['key', 'value'] })) {
    const found = rows.find(({ key }) => key === 'secret');
    if (found !== undefined) return String(found.value);
  }
  throw new ApiError('unavailable', `${from.shown} has no secret: it is damaged`);
}

async function columnsOfAll({ from, to }: Sides, tables: readonly MovedTable[]) {
  const columns = new Map<string, readonly string[]>();
  for (const { name, columns: fixed } of tables) {
    const [own, other] = fixed
      ? [[...fixed], [...fixed]]
      : [await from.columnsOf(name), await to.reader.columnsOf(name)];
    if (own.toSorted().join() !== other.toSorted().join()) {
      throw new Error(`the table ${name} has other columns at the other end`);
    }
    columns.set(name, own);
  }
  return columns;
}

/** Begins the move, or goes on with it; answers from where. */
async function takeOver({ to, of, by, tables }: Move): Promise<Marker['at']> {
  let at: Marker['at'] = { table: tables[0]?.name ?? '', cursor: null };
  await to.transaction(async (enter) => {
    const { db } = await enter(null);
    const marker = await readMarker(db);
    if (marker === null) await emptyNew(db);
    else if (marker.of === of) at = marker.at;
    else {
      throw new ApiError('conflict', `the move into ${to.reader.shown} comes from another store`);
    }
    await putMarker(db, { of, by, at });
  });
  return at;
}

/** Takes away what every store is made with. */
async function emptyNew(db: Database): Promise<void> {
  for (const table of ['members', 'projects', 'organizations', 'accounts'] as const) {
    await db.deleteFrom(table).execute();
  }
  await db.deleteFrom('meta').where('key', '<>', 'schema').execute();
}

/** How often what changed meanwhile is copied anew. */
const roundsMax = 3;

/** Compares until both are equal, with the source as it is by then. */
async function settle(move: Move): Promise<Contents> {
  const { from, to } = move;
  for (let round = 1; ; round += 1) {
    await setCounters(move);
    await from.look();
    await to.reader.look();
    const contents = await contentsOf(move, from);
    const different = differences(contents, await contentsOf(move, to.reader));
    if (from.isIntact() && different.size === 0 && (await countersAgree(move))) return contents;
    if (round === roundsMax) throw changing(from.shown, different);
    await renew(move, different);
  }
}

function changing(shown: string, different: ReadonlyMap<string, unknown>): ApiError {
  const tables = [...different.keys()].join(', ');
  const problem = `${shown} goes on changing${tables === '' ? '' : `: ${tables}`}`;
  return new ApiError('conflict', `${problem}; the target is not complete`, {
    next: 'Stop the servers and clients that use it, then go on with --resume.',
  });
}

async function setCounters({ from, to, tables }: Move): Promise<void> {
  for (const table of tables) {
    if (hasCounter(table)) await to.setCounter(table, await from.counterOf(table));
  }
}

async function countersAgree({ from, to, tables }: Move): Promise<boolean> {
  for (const table of tables.filter(hasCounter)) {
    if ((await from.counterOf(table)) !== (await to.reader.counterOf(table))) return false;
  }
  return true;
}

function hasCounter(table: MovedTable): table is MovedTable & { counts: string } {
  return table.counts !== undefined;
}
