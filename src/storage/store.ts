import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JobTable, Log, Project, Store, Tables } from '../core/ports.ts';
import type { Database, Dialect, Engine } from './dialects/dialect.ts';
import { openSqlite } from './dialects/sqlite.ts';
import { type FileReport, inspectSqlite } from './dialects/sqlite-inspect.ts';
import { checkSqlite } from './dialects/sqlite-integrity.ts';
import type { At } from './tables/at.ts';
import { createEntityTable } from './tables/entities.ts';
import { createEventTable } from './tables/events.ts';
import { createFeedbackTable } from './tables/feedback.ts';
import { createHistoryTable } from './tables/history.ts';
import { createJobTable, findDueJob } from './tables/jobs.ts';
import { createMemoryTable } from './tables/memories.ts';
import { getSecret } from './tables/meta.ts';
import { addProject, findProject, type NewProject } from './tables/projects.ts';

export type StoreOptions = {
  data_dir: string;
  /** `full` survives a power cut as well as a killed process, at the price of slower commits. */
  synchronous: 'normal' | 'full';
  /** How long a write waits for another process. */
  busy_timeout_ms: number;
  log: Log;
};

/** Opens the store in the data folder, which is made where missing. */
export async function openStore({ data_dir, ...options }: StoreOptions): Promise<Store> {
  return createStore(await openSqlite({ ...options, path: storePath(data_dir) }));
}

/** Reads the whole store and lists what is wrong with it, in words; changes nothing. */
export function checkIntegrity({ data_dir }: { data_dir: string }): Promise<string[]> {
  return checkSqlite(storePath(data_dir));
}

/** Looks at the store's file and changes nothing; null when there is none yet. */
export async function inspectStore({ data_dir }: { data_dir: string }): Promise<FileReport | null> {
  const path = storePath(data_dir);
  return existsSync(path) ? inspectSqlite(path) : null;
}

/** The file that holds everything. */
export function storePath(data_dir: string): string {
  return join(data_dir, 'mneme.db');
}

function createStore(engine: Engine): Store {
  const { dialect } = engine;
  const at: At = { db: engine.reader, dialect };
  const tables = createTables(engine.reader, dialect);
  const transaction: Store['transaction'] = (run) =>
    engine.write((db) => run(createTables(db, dialect)));
  return {
    ...tables,
    jobs: createJobs(tables.jobs, { at, transaction }),
    transaction,
    findProject: (ref) => findProject(at, ref),
    ensureProject: (ref, now) => ensureProject(engine, { ...ref, now }),
    secret: () => getSecret(at),
    close: engine.close,
  };
}

function createTables(db: Database, dialect: Dialect): Tables {
  const at: At = { db, dialect };
  return {
    memories: createMemoryTable(at),
    entities: createEntityTable(at),
    history: createHistoryTable(at),
    feedback: createFeedbackTable(at),
    events: createEventTable(at),
    jobs: createJobTable(at),
  };
}

/** A worker's own steps, each in a transaction of its own. */
function createJobs(
  jobs: JobTable,
  { at, transaction }: { at: At; transaction: Store['transaction'] },
): JobTable {
  return {
    ...jobs,
    claim: async (lease) => {
      // Looks before it locks: an idle worker must not keep others from writing.
      if ((await findDueJob(at, lease.now)) === null) return null;
      return transaction((tx) => tx.jobs.claim(lease));
    },
    finish: (job) => transaction((tx) => tx.jobs.finish(job)),
    release: (job, run_at) => transaction((tx) => tx.jobs.release(job, run_at)),
  };
}

async function ensureProject(engine: Engine, project: NewProject): Promise<Project> {
  const { dialect, reader } = engine;
  const { org_id, project_id } = project;
  const existing = await findProject({ db: reader, dialect }, { org_id, project_id });
  return existing ?? engine.write((db) => addProject({ db, dialect }, project));
}
