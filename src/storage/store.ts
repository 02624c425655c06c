import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../contract/errors.ts';
import type { Logger, ProjectRef, Readiness, Store } from '../core/ports/index.ts';
import type { DbContext, InlineEmbedding } from './sql/db-context.ts';
import type { DatabaseEngine } from './sql/dialect.ts';
import { backupSqlite } from './sqlite/backup.ts';
import { loadSqlite } from './sqlite/driver.ts';
import { partialTransferPath } from './sqlite/file.ts';
import type { SqliteFileReport } from './sqlite/inspect.ts';
import { openSqlite, type SqliteOptions } from './sqlite/open.ts';
import { processesUsingFile, processesUsingRemovedFile } from './sqlite/processes-using-file.ts';
import { bindTables, callOn } from './tables/create-tables.ts';
import { getSecret } from './tables/system/meta.ts';
import {
  findOrCreateProject,
  type NewProject,
  toProjectRef,
} from './tables/tenants/ensure-project.ts';
import { findProject } from './tables/tenants/projects.ts';
import { createAutocommit } from './transactions/autocommit.ts';
import { createIdempotentCommit } from './transactions/idempotent-commit.ts';

export type StoreOptions = {
  data_dir: string;
  /** `full` also survives a power failure, but commits are slower. */
  synchronous: 'normal' | 'full';
  /** How long a write waits for another process. */
  busy_timeout_ms: number;
  log: Logger;
  /** A PostgreSQL database to use instead of a file. */
  database?: { url: string; pool_size: number; statement_timeout_ms: number } | null;
  /** When to maintain a file, instead of every minute: for tests. */
  upkeep?: SqliteOptions['upkeep'];
  /** The steps to the newest schema, instead of those of this version: for tests. */
  steps?: SqliteOptions['steps'];
};

/** Opens the database if one is configured, otherwise the data folder; creates what is missing. */
export async function openStore({
  data_dir,
  database,
  upkeep,
  ...options
}: StoreOptions): Promise<Store> {
  if (database) {
    const { openPostgresStore } = await import('./postgres/store.ts');
    return openPostgresStore({ ...options, ...database });
  }
  return createSqliteStore(await openSqlite({ ...options, upkeep, path: storePath(data_dir) }));
}

/** Reads the whole store and lists its problems in words; changes nothing. */
export async function checkIntegrity({ data_dir }: { data_dir: string }): Promise<string[]> {
  const { checkSqliteIntegrity } = await import('./sqlite/integrity-check.ts');
  return checkSqliteIntegrity(storePath(data_dir));
}

/** Inspects the store's file and changes nothing; null if there is none. */
export async function inspectStore({
  data_dir,
  versions_before = null,
}: {
  data_dir: string;
  /** Earlier versions that ended before this count as old. */
  versions_before?: string | null;
}): Promise<SqliteFileReport | null> {
  const path = storePath(data_dir);
  if (!existsSync(path)) return null;
  const { inspectSqlite } = await import('./sqlite/inspect.ts');
  return inspectSqlite(path, { versions_before });
}

/**
 * The file of an unfinished move into the data folder, and the processes that have it open; null if
 * there is none. `isLockTaken` if there is also a store, whose name it cannot take.
 */
export function findUnfinishedTransfer({ data_dir }: { data_dir: string }) {
  const path = partialTransferPath(storePath(data_dir));
  if (!existsSync(path)) return null;
  return { path, isTaken: existsSync(storePath(data_dir)), pids: processesUsingFile(path) };
}

/** Processes that still use a store that was removed from the data folder or replaced. */
export function processesUsingRemovedStore({ data_dir }: { data_dir: string }): number[] {
  return processesUsingRemovedFile(storePath(data_dir));
}

/** Other processes of this user that have the store open; empty where that can't be known. */
export function otherProcessesUsingStore({ data_dir }: { data_dir: string }): number[] {
  return processesUsingFile(storePath(data_dir)).filter((pid) => pid !== process.pid);
}

/** Copies the store into a new file while others use it, without upgrading it. */
export async function backupStore({ data_dir }: { data_dir: string }, file: string): Promise<void> {
  const path = existingStorePath(data_dir);
  await backupSqlite(await loadSqlite(), { path, file });
}

/** Replaces the store with a backup; returns where the old store is kept. */
export async function restoreStore(
  { data_dir }: { data_dir: string },
  options: { file: string; replace: boolean; now: string },
): Promise<string | null> {
  const { restoreSqlite } = await import('./sqlite/restore.ts');
  return restoreSqlite({ ...options, path: storePath(data_dir) });
}

/** Rewrites the file of a closed store, so that nothing deleted is left in it. */
export async function purgeStoreFile({ data_dir }: { data_dir: string }): Promise<void> {
  const path = existingStorePath(data_dir);
  const { purgeSqliteFile } = await import('./sqlite/purge-file.ts');
  await purgeSqliteFile(path);
}

/** The texts that the bytes of the file still contain. */
export async function findInStoreFile(
  { data_dir }: { data_dir: string },
  texts: readonly string[],
): Promise<string[]> {
  const { findInSqliteFile } = await import('./sqlite/purge-file.ts');
  return findInSqliteFile(storePath(data_dir), texts);
}

function existingStorePath(data_dir: string): string {
  const path = storePath(data_dir);
  if (existsSync(path)) return path;
  throw new ApiError('not_found', `there is no store in ${data_dir}`);
}

/** The path of the store's file. */
export function storePath(data_dir: string): string {
  return join(data_dir, 'mneme.db');
}

function createSqliteStore(engine: DatabaseEngine): Store {
  const { dialect } = engine;
  const inline: InlineEmbedding = { embedder: null };
  const at: DbContext = { ...engine.reader, dialect, inline };
  const call = callOn({ ...engine.writer, dialect, inline });
  const writing = bindTables(call);
  const steps = createAutocommit({
    call: callOn(at),
    read: (look) => look(at),
    transaction: (run) => engine.write(() => run(call)),
  });
  // A commit that fails did not happen.
  const { carryOut, carrying } = createIdempotentCommit(async () => false);
  return {
    ...bindTables(steps),
    transaction: (run) => carrying((work) => engine.write(() => work(writing)), run),
    runIdempotent: carryOut,
    version: engine.version,
    ping: () => readReadiness(engine, at),
    ensureProject: (ref, now) => ensureProject(engine, { ...ref, now }),
    supportsVectors: true,
    embedInline: (embedder) => {
      inline.embedder = embedder;
    },
    onWork: () => {}, // processes on one file poll for work
    backup: engine.backup,
    secret: () => getSecret(at),
    close: engine.close,
  };
}

async function readReadiness(engine: DatabaseEngine, at: DbContext): Promise<Readiness> {
  try {
    await getSecret(at);
    return engine.isReplaced() ? 'replaced' : 'ready';
  } catch {
    return 'away';
  }
}

async function ensureProject(engine: DatabaseEngine, project: NewProject): Promise<ProjectRef> {
  const { dialect, reader } = engine;
  const { org_id, project_id } = project;
  const existing = await findProject({ ...reader, dialect }, { org_id, project_id });
  if (existing !== null) return toProjectRef(existing);
  return engine.write((session) => findOrCreateProject({ ...session, dialect }, project));
}
