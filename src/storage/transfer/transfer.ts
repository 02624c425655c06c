import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { ApiError } from '../../contract/errors.ts';
import type { Database } from '../sql/dialect.ts';
import { deleteCheckpoint, readCheckpoint, storeIdOf, writeCheckpoint } from './checkpoint.ts';
import { digestStore, findDifferences, type StoreDigest } from './compare.ts';
import { copyAll, inOwnedTransaction, type StoreTransfer, type TransferProgress } from './copy.ts';
import type { TransferCheckpoint, TransferReader, TransferWriter } from './endpoints.ts';
import { recopyDifferences } from './recopy.ts';
import { createTransferReport, type TransferReport } from './report.ts';
import { type TransferTable, transferTables } from './tables.ts';

export type { TransferProgress } from './copy.ts';
export type { TransferReport } from './report.ts';

/** The location of a store: a SQLite file or a PostgreSQL database. */
export type StoreLocation = { path: string } | { url: string };

export type TransferOptions = {
  from: StoreLocation;
  to: StoreLocation;
  /** Resumes an interrupted move into the same target. */
  resume: boolean;
  onProgress: (progress: TransferProgress) => void;
  onWarning: (warning: string) => void;
};

/**
 * Copies a whole store into an empty target and compares both. The source is only read. An
 * interrupted move leaves a target that no server uses; `resume` continues there.
 *
 * @throws {ApiError} conflict if the target holds other data, or the source keeps changing
 */
export async function transferStore(options: TransferOptions): Promise<TransferReport> {
  if (isSameLocation(options.from, options.to)) {
    throw new ApiError('invalid', '--from and --to are the same store');
  }
  const from = await openReader(options.from);
  try {
    await from.refresh();
    const to = await openWriter(options.to, options);
    try {
      return await runTransfer({ from, to }, options);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function isSameLocation(one: StoreLocation, other: StoreLocation): boolean {
  if ('url' in one) return 'url' in other && one.url === other.url;
  return 'path' in other && resolve(one.path) === resolve(other.path);
}

async function openReader(place: StoreLocation): Promise<TransferReader> {
  if ('url' in place) {
    return (await import('./postgres-reader.ts')).openPostgresTransferReader(place.url);
  }
  return (await import('./sqlite-reader.ts')).openSqliteTransferReader(resolve(place.path));
}

async function openWriter(place: StoreLocation, how: { resume: boolean }): Promise<TransferWriter> {
  if ('url' in place) {
    return (await import('./postgres-writer.ts')).openPostgresTransferWriter(place.url, how);
  }
  return (await import('./sqlite-writer.ts')).openSqliteTransferWriter(resolve(place.path), how);
}

type TransferEndpoints = { from: TransferReader; to: TransferWriter };

async function runTransfer(
  { from, to }: TransferEndpoints,
  options: TransferOptions,
): Promise<TransferReport> {
  const warn = options.onWarning;
  if (await from.isInUse()) {
    warn(`${from.shown} seems to be in use: writes after the end are not copied`);
  }
  const tables = await selectTables({ from, to }, warn);
  const sourceId = storeIdOf(await readSecret(from));
  const replacesNul = 'url' in options.from || 'url' in options.to;
  const { onProgress } = options;
  const ownerId = randomUUID();
  const move: StoreTransfer = {
    from,
    to,
    tables,
    replacesNul,
    sourceId,
    ownerId,
    onProgress,
  };
  const at = await startOrResume(move);
  if (at !== null) await copyAll(move, at);
  const contents = await recopyUntilEqual(move);
  await inOwnedTransaction(move, async (enter) => deleteCheckpoint((await enter(null)).db));
  await to.finish();
  return createTransferReport(move, contents);
}

/** If one store has no pgvector, vectors cannot be stored, or there are none. */
async function selectTables(
  { from, to }: TransferEndpoints,
  warn: (text: string) => void,
): Promise<readonly TransferTable[]> {
  if (from.hasVectors && to.reader.hasVectors) return transferTables;
  const models = transferTables.filter(hasSequence).find(({ name }) => name === 'embedding_models');
  if (from.hasVectors && models && (await from.readSequence(models)) > 0) {
    warn(`${to.reader.shown} has no pgvector: vectors are not copied; install it to embed again`);
  }
  return transferTables.filter(({ needsVectors }) => !needsVectors);
}

async function readSecret(from: TransferReader): Promise<string> {
  const [meta] = transferTables;
  if (meta === undefined) throw new Error('there is a table of what is known of the store');
  for await (const { rows } of from.scan(meta, { columns: ['key', 'value'] })) {
    const secret = rows.find(({ key }) => key === 'secret');
    if (secret !== undefined) return String(secret.value);
  }
  throw new ApiError('unavailable', `${from.shown} has no secret: it is damaged`);
}

/** Begins or resumes the move; returns where to start. */
async function startOrResume({
  to,
  sourceId,
  ownerId,
  tables,
}: StoreTransfer): Promise<TransferCheckpoint['at']> {
  let at: TransferCheckpoint['at'] = { table: tables[0]?.name ?? '', cursor: null };
  await to.transaction(async (enter) => {
    const { db } = await enter(null);
    const marker = await readCheckpoint(db);
    if (marker === null) await deleteInitialRows(db);
    else if (marker.of === sourceId) at = marker.at;
    else {
      throw new ApiError('conflict', `the move into ${to.reader.shown} is from another store`);
    }
    await writeCheckpoint(db, { of: sourceId, by: ownerId, at });
  });
  return at;
}

/** Deletes the rows that every new store has. */
async function deleteInitialRows(db: Database): Promise<void> {
  for (const table of ['members', 'projects', 'organizations', 'accounts'] as const) {
    await db.deleteFrom(table).execute();
  }
  await db.deleteFrom('meta').where('key', '<>', 'schema').execute();
}

/** How often changes of the source are copied again. */
const recopyRoundsMax = 3;

/** Compares until both are equal, with the current state of the source. */
async function recopyUntilEqual(move: StoreTransfer): Promise<StoreDigest> {
  const { from, to } = move;
  for (let round = 1; ; round += 1) {
    await copySequences(move);
    await from.refresh();
    await to.reader.refresh();
    const contents = await digestStore(move, from);
    const different = findDifferences(contents, await digestStore(move, to.reader));
    if (from.isConsistent() && different.size === 0 && (await areSequencesEqual(move)))
      return contents;
    if (round === recopyRoundsMax) throw sourceChanging(from.shown, different);
    await recopyDifferences(move, different);
  }
}

function sourceChanging(shown: string, different: ReadonlyMap<string, unknown>): ApiError {
  const tables = [...different.keys()].join(', ');
  const problem = `${shown} keeps changing${tables === '' ? '' : `: ${tables}`}`;
  return new ApiError('conflict', `${problem}; the target is not complete`, {
    next: 'Stop the servers and clients that use it, then resume with --resume.',
  });
}

async function copySequences({ from, to, tables }: StoreTransfer): Promise<void> {
  for (const table of tables) {
    if (hasSequence(table)) await to.setSequence(table, await from.readSequence(table));
  }
}

async function areSequencesEqual({ from, to, tables }: StoreTransfer): Promise<boolean> {
  for (const table of tables.filter(hasSequence)) {
    if ((await from.readSequence(table)) !== (await to.reader.readSequence(table))) return false;
  }
  return true;
}

function hasSequence(table: TransferTable): table is TransferTable & { sequenceColumn: string } {
  return table.sequenceColumn !== undefined;
}
