import type { Config } from '../config/options.ts';
import { ApiError } from '../contract/errors.ts';
import type { EntityIds } from '../contract/schemas/entity.ts';
import type { Found } from '../core/archive/read-lines.ts';
import type { ImportReport } from '../core/archive/report.ts';
import type { Log, StoredProject } from '../core/ports.ts';
import type { Engine } from './engine.ts';

export type { ImportReport } from '../core/archive/report.ts';

/** The configured project, to be written to lines and read from them. */
export type Archive = {
  export(ids: Partial<EntityIds>): AsyncIterable<object>;
  importLines(bytes: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<ImportReport>;
  /** A file of `@modelcontextprotocol/server-memory`; its memories belong to these entities. */
  importServerMemory(
    bytes: AsyncIterable<Uint8Array>,
    ids: EntityIds,
    options: ImportOptions,
  ): Promise<ImportReport>;
  importRemote(source: RemoteSource, options: ImportOptions): Promise<ImportReport>;
};

export type ImportOptions = {
  dry_run: boolean;
  skip_invalid: boolean;
  onRefusal: (problem: string) => void;
  onProgress: (report: Readonly<ImportReport>) => void;
};

/** Another instance, and what is wanted of it. */
export type RemoteSource = {
  url: string;
  api_key: string;
  org_id?: string | undefined;
  project_id?: string | undefined;
  ids: Partial<EntityIds>;
};

type Place = Pick<Config, 'org_id' | 'project_id'>;

/** Who wrote a file, and its bytes from the first on. */
export async function recognizeFile(bytes: AsyncIterable<Uint8Array>) {
  const { recognize } = await import('../core/archive/recognize.ts');
  return recognize(bytes);
}

export async function openArchive(engine: Engine, config: Place, log: Log): Promise<Archive> {
  const { deps } = engine;
  const [{ exportProject }, { importLines }, { readLines }] = await Promise.all([
    import('../core/archive/export.ts'),
    import('../core/archive/import.ts'),
    import('../core/archive/read-lines.ts'),
  ]);
  const project = await projectOf(engine, config);
  const store = (batches: AsyncIterable<readonly Found[]>, options: ImportOptions) =>
    importLines(deps, batches, { ...options, project });
  return {
    export: (ids) => exportProject(deps, { project, ids }),
    importLines: (bytes, options) => store(readLines(bytes), options),
    importServerMemory: (bytes, ids, options) =>
      importServerMemory({ bytes, ids, engine, project }, options),
    importRemote: (source, options) => importRemote({ source, engine, project, log }, options),
  };
}

async function projectOf({ store }: Engine, { org_id, project_id }: Place): Promise<StoredProject> {
  const ref = { ...(org_id !== null && { org_id }), ...(project_id !== null && { project_id }) };
  const project = await store.projects.find(ref);
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
  options: ImportOptions,
): Promise<ImportReport> {
  const [{ importLines }, { readServerMemory }] = await Promise.all([
    import('../core/archive/import.ts'),
    import('../core/archive/read-server-memory.ts'),
  ]);
  let unchanged = 0;
  const onUnchanged = (count: number) => {
    unchanged += count;
  };
  const { user_id, agent_id, app_id, run_id } = ids;
  const scope = { project, ids: { user_id, agent_id, app_id, run_id } };
  const batches = readServerMemory(bytes, { ...engine.deps, scope, onUnchanged });
  const report = await importLines(engine.deps, batches, {
    ...options,
    project,
    begins_history: true,
  });
  report.memories.unchanged += unchanged;
  return report;
}

type Transfer = { source: RemoteSource; engine: Engine; project: StoredProject; log: Log };

async function importRemote(
  { source, engine, project, log }: Transfer,
  options: ImportOptions,
): Promise<ImportReport> {
  const [{ importLines }, { readRemote }, { openSource }] = await Promise.all([
    import('../core/archive/import.ts'),
    import('../core/archive/read-remote.ts'),
    import('./remote.ts'),
  ]);
  const { url, api_key, ...wanted } = source;
  const remote = openSource({ url, api_key, log });
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
