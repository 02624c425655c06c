import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../contract/errors.ts';
import type { Log, Project, Readiness, Store, Tables } from '../core/ports.ts';
import type { Engine } from './dialects/dialect.ts';
import { openSqlite } from './dialects/sqlite.ts';
import { backupSqlite } from './dialects/sqlite-backup.ts';
import { loadSqlite } from './dialects/sqlite-driver.ts';
import { holdersOfRemoved } from './dialects/sqlite-holders.ts';
import { type FileReport, inspectSqlite } from './dialects/sqlite-inspect.ts';
import { checkSqlite } from './dialects/sqlite-integrity.ts';
import { restoreSqlite } from './dialects/sqlite-restore.ts';
import { createSteps } from './steps.ts';
import { createAccountTable } from './tables/accounts.ts';
import { createAnalysisTable } from './tables/analysis.ts';
import { createAnswerTable } from './tables/answers.ts';
import { createArchiveTable } from './tables/archive.ts';
import type { At } from './tables/at.ts';
import { createDeliveryTable } from './tables/deliveries.ts';
import { createDocumentTable } from './tables/documents.ts';
import { createEntityTable } from './tables/entities.ts';
import { createEventTable } from './tables/events.ts';
import { createExportTable } from './tables/exports.ts';
import { createFeedbackTable } from './tables/feedback.ts';
import { createHistoryTable } from './tables/history.ts';
import { createJobTable } from './tables/jobs.ts';
import { createKeyTable } from './tables/keys.ts';
import { createLanguageTable } from './tables/languages.ts';
import { createMemberTable } from './tables/members.ts';
import { createMemoryTable } from './tables/memories.ts';
import { getSecret } from './tables/meta.ts';
import { createOrganizationTable } from './tables/organizations.ts';
import { createPartTable } from './tables/parts.ts';
import { addProject, type NewProject, toRef } from './tables/project-ensure.ts';
import { createProjectTable, findProject } from './tables/projects.ts';
import { createVectorTable } from './tables/vectors.ts';
import { createWebhookTable } from './tables/webhooks.ts';

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

/** Processes that still use a store which was in the data folder and is gone or replaced now. */
export function holdersOfRemovedStore({ data_dir }: { data_dir: string }): number[] {
  return holdersOfRemoved(storePath(data_dir));
}

/** Copies the store into a new file while others use it; nothing is brought up to date. */
export async function backupStore({ data_dir }: { data_dir: string }, file: string): Promise<void> {
  const path = storePath(data_dir);
  if (!existsSync(path)) throw new ApiError('not_found', `there is no store in ${data_dir}`);
  await backupSqlite(await loadSqlite(), { path, file });
}

/** Puts a backup in the place of the store; answers where the store it replaced is kept. */
export function restoreStore(
  { data_dir }: { data_dir: string },
  options: { file: string; replace: boolean; now: string },
): Promise<string | null> {
  return restoreSqlite({ ...options, path: storePath(data_dir) });
}

/** The file that holds everything. */
export function storePath(data_dir: string): string {
  return join(data_dir, 'mneme.db');
}

function createStore(engine: Engine): Store {
  const { dialect } = engine;
  const at: At = { ...engine.reader, dialect };
  const tables = createTables(at);
  const transaction: Store['transaction'] = (run) =>
    engine.write((session) => run(createTables({ ...session, dialect })));
  return {
    ...tables,
    ...createSteps(tables, { at, transaction }),
    transaction,
    version: engine.version,
    ping: () => readinessOf(engine, at),
    ensureProject: (ref, now) => ensureProject(engine, { ...ref, now }),
    backup: engine.backup,
    secret: () => getSecret(at),
    close: engine.close,
  };
}

function createTables(at: At): Tables {
  return {
    accounts: createAccountTable(at),
    organizations: createOrganizationTable(at),
    projects: createProjectTable(at),
    members: createMemberTable(at),
    keys: createKeyTable(at),
    webhooks: createWebhookTable(at),
    deliveries: createDeliveryTable(at),
    exports: createExportTable(at),
    documents: createDocumentTable(at),
    answers: createAnswerTable(at),
    memories: createMemoryTable(at),
    entities: createEntityTable(at),
    history: createHistoryTable(at),
    feedback: createFeedbackTable(at),
    events: createEventTable(at),
    jobs: createJobTable(at),
    parts: createPartTable(at),
    archive: createArchiveTable(at),
    languages: createLanguageTable(at),
    analysis: createAnalysisTable(at),
    vectors: createVectorTable(at),
  };
}

async function readinessOf(engine: Engine, at: At): Promise<Readiness> {
  try {
    await getSecret(at);
    return engine.isReplaced() ? 'replaced' : 'ready';
  } catch {
    return 'away';
  }
}

async function ensureProject(engine: Engine, project: NewProject): Promise<Project> {
  const { dialect, reader } = engine;
  const { org_id, project_id } = project;
  const existing = await findProject({ ...reader, dialect }, { org_id, project_id });
  if (existing !== null) return toRef(existing);
  return engine.write((session) => addProject({ ...session, dialect }, project));
}
