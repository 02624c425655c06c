import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { ImportReport } from '../../core/archive/import-report.ts';
import type { ArchiveRecord } from '../../core/archive/read-lines.ts';
import type { Logger, StoredProject } from '../../core/ports/index.ts';
import type { Engine } from '../engine.ts';

export type { ImportReport } from '../../core/archive/import-report.ts';

/** Exports the configured project to lines and imports it from them. */
export type ProjectArchive = {
  /** Throws `invalid` for a time that is ahead, or that neither is one nor names a snapshot. */
  export(ids: Partial<EntityIds>, clocks?: ExportClocks): Promise<AsyncIterable<object>>;
  importLines(
    bytes: AsyncIterable<Uint8Array>,
    options: ArchiveImportOptions,
  ): Promise<ImportReport>;
  /** A file of `@modelcontextprotocol/server-memory`; its memories belong to these entities. */
  importServerMemory(
    bytes: AsyncIterable<Uint8Array>,
    ids: EntityIds,
    options: ArchiveImportOptions,
  ): Promise<ImportReport>;
  importRemote(source: ImportSource, options: ArchiveImportOptions): Promise<ImportReport>;
};

/** Exports what was known or true at a time, as `as_of` and `valid_at` of a read. */
type ExportClocks = { as_of?: string; valid_at?: string };

export type ArchiveImportOptions = {
  /** The importer says that the file is their own export. */
  is_trusted: boolean;
  dry_run: boolean;
  skip_invalid: boolean;
  onRefusal: (problem: string) => void;
  onProgress: (report: Readonly<ImportReport>) => void;
};

/** Another instance, and what to import from it. */
export type ImportSource = {
  url: string;
  api_key: string;
  org_id?: string | undefined;
  project_id?: string | undefined;
  ids: Partial<EntityIds>;
};

type ConfiguredProject = Pick<Config, 'org_id' | 'project_id'>;

/** Recognizes the program that wrote a file. The bytes come back from the first one on. */
export async function recognizeFile(bytes: AsyncIterable<Uint8Array>, name: string) {
  const { recognize } = await import('../../core/archive/recognize.ts');
  return recognize(bytes, name);
}

export async function openProjectArchive(
  engine: Engine,
  config: ConfiguredProject & Pick<Config, 'remote_timeout_ms'>,
  log: Logger,
): Promise<ProjectArchive> {
  const { deps } = engine;
  const [{ importLines }, { readLines }] = await Promise.all([
    import('../../core/archive/import-lines.ts'),
    import('../../core/archive/read-lines.ts'),
  ]);
  const project = await findConfiguredProject(engine, config);
  const store = (batches: AsyncIterable<readonly ArchiveRecord[]>, options: ArchiveImportOptions) =>
    importLines(deps, batches, { ...options, project });
  return {
    export: async (ids, clocks = {}) => {
      const [{ exportProject }, { findPastTime }] = await Promise.all([
        import('../../core/archive/export-project.ts'),
        import('../../core/versions/read-past.ts'),
      ]);
      const past = await findPastTime(deps, project, clocks);
      return exportProject(deps, { project, ids, past });
    },
    importLines: (bytes, options) => store(readLines(bytes), options),
    importServerMemory: (bytes, ids, options) =>
      importServerMemory({ bytes, ids, engine, project }, options),
    importRemote: (source, options) =>
      importRemote({ source, engine, project, config, log }, options),
  };
}

async function findConfiguredProject(
  { store }: Engine,
  { org_id, project_id }: ConfiguredProject,
): Promise<StoredProject> {
  const { findByIdOrName } = await import('../../core/tenants/named-project.ts');
  const { project } = await findByIdOrName(store, { org_id, project_id });
  if (project === null) throw new ApiError('not_found', 'organization or project not found');
  return project;
}

type GraphFile = {
  bytes: AsyncIterable<Uint8Array>;
  ids: EntityIds;
  engine: Engine;
  project: StoredProject;
};

async function importServerMemory(
  { bytes, ids, engine, project }: GraphFile,
  options: ArchiveImportOptions,
): Promise<ImportReport> {
  const [{ importLines }, { linesIn }, { readServerMemory }] = await Promise.all([
    import('../../core/archive/import-lines.ts'),
    import('../../core/archive/read-lines.ts'),
    import('../../core/archive/read-server-memory.ts'),
  ]);
  let unchanged = 0;
  const onUnchanged = (count: number) => {
    unchanged += count;
  };
  const { user_id, agent_id, app_id, run_id } = ids;
  const scope = { project, ids: { user_id, agent_id, app_id, run_id } };
  const batches = readServerMemory(linesIn(bytes), { ...engine.deps, scope, onUnchanged });
  const report = await importLines(engine.deps, batches, {
    ...options,
    project,
    begins_history: true,
  });
  report.memories.unchanged += unchanged;
  return report;
}

type RemoteImport = {
  source: ImportSource;
  engine: Engine;
  project: StoredProject;
  config: Pick<Config, 'remote_timeout_ms'>;
  log: Logger;
};

async function importRemote(
  { source, engine, project, config, log }: RemoteImport,
  options: ArchiveImportOptions,
): Promise<ImportReport> {
  const [{ importLines }, { readRemote }, { openImportSource }] = await Promise.all([
    import('../../core/archive/import-lines.ts'),
    import('../../core/archive/read-remote.ts'),
    import('../remote/connect-remote.ts'),
  ]);
  const { url, api_key, ...wanted } = source;
  const remote = openImportSource({
    url,
    api_key,
    remote_timeout_ms: config.remote_timeout_ms,
    log,
  });
  let unchanged = 0;
  const onUnchanged = (count: number) => {
    unchanged += count;
  };
  try {
    const target = { store: engine.store, project };
    const batches = readRemote({ ...wanted, remote, onUnchanged }, target);
    const report = await importLines(engine.deps, batches, { ...options, project });
    report.memories.unchanged += unchanged;
    return report;
  } finally {
    await remote.close();
  }
}
