import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { type WrittenSchema, writeSchema } from '../export/write-schema.ts';
import { type SelectionConditions, selectionOf } from '../memory/selection.ts';
import type { Deps, EventPatch, Job, StoredExport, StoredMemory } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { runWithLease } from '../queue/keep-lease.ts';
import type { JobRun } from './process-event.ts';

/** Fills the schema of one export, and settles it with its event. */
export async function buildExport(
  deps: Deps,
  job: Job,
  { lease_ms, signal }: JobRun,
): Promise<void> {
  const { store, clock } = deps;
  const { project, subject_id } = job;
  const record = await store.exports.find(project, subject_id);
  if (record === null || record.status === 'SUCCEEDED' || record.status === 'FAILED') {
    await store.jobs.finish(job);
    return;
  }
  const started_at = clock.now();
  const isOurs = await store.transaction(async (tables) => {
    // A slow worker may have lost the job to another, which has settled the export by now.
    if (!(await tables.jobs.extendLease(job, addMs(started_at, lease_ms)))) return false;
    const patch = { status: 'RUNNING', started_at, updated_at: started_at } as const;
    await tables.exports.update(project, subject_id, { status: 'RUNNING' });
    await tables.events.update(project, subject_id, patch);
    return true;
  });
  if (!isOurs) return;
  const memories = await listExportMemories(deps, { job, record, signal });
  if (memories === null) {
    await failExport(deps, job, `more than ${limits.export_memories_max} memories are selected`);
    return;
  }
  const { schema, instructions } = record;
  const { data, ...origin } = await runWithLease(deps, { job, lease_ms, signal }, (ended) =>
    writeSchema(deps, memories, { schema, instructions, signal: ended }),
  );
  await settleExport(deps, job, { status: 'SUCCEEDED', data, origin, started_at });
}

/** Settles an export whose every attempt failed. */
export async function failExport(deps: Deps, job: Job, reason: string): Promise<void> {
  await settleExport(deps, job, { status: 'FAILED', error: reason });
}

type ExportOutcome =
  | {
      status: 'SUCCEEDED';
      data: unknown;
      origin: StrictOmit<WrittenSchema, 'data'>;
      started_at: string;
    }
  | { status: 'FAILED'; error: string };

async function settleExport(
  { store, clock }: Deps,
  job: Job,
  outcome: ExportOutcome,
): Promise<void> {
  const { project, subject_id } = job;
  const completed_at = clock.now();
  const result = outcome.status === 'SUCCEEDED' ? { data: outcome.data } : { error: outcome.error };
  const event: EventPatch = {
    status: outcome.status,
    completed_at,
    updated_at: completed_at,
    ...(outcome.status === 'FAILED'
      ? { error: outcome.error }
      : {
          metadata: exportMetadata(outcome.origin),
          latency: Date.parse(completed_at) - Date.parse(outcome.started_at),
        }),
  };
  await store.transaction(async (tables) => {
    if (!(await tables.jobs.finish(job))) return;
    const { status } = outcome;
    await tables.exports.update(project, subject_id, { status, completed_at, ...result });
    // The event of an export has its id.
    await tables.events.update(project, subject_id, event);
  });
}

/** Only what there is to tell. */
function exportMetadata({ by, cost, notice }: StrictOmit<WrittenSchema, 'data'>) {
  return { by, ...(cost !== null && { cost }), ...(notice !== null && { notice }) };
}

type ExportSelection = { job: Job; record: StoredExport; signal: AbortSignal };

/** The memories that an export concerns, newest first; null when they are too many. */
async function listExportMemories(
  deps: Deps,
  { job, record, signal }: ExportSelection,
): Promise<StoredMemory[] | null> {
  const { as_of, valid_at } = record;
  const selection = selectionOf(exportConditions(record), as_of ?? deps.clock.now(), deps);
  const list = (page: { page: number; page_size: number }) =>
    as_of === null
      ? deps.store.memories.list(job.project, selection, page)
      : deps.store.versions.list(job.project, selection, { ...page, as_of, valid_at });
  // A memory that is added in between moves the pages: the next one then begins with a known one.
  const memoriesById = new Map<string, StoredMemory>();
  for (let page = 1; ; page += 1) {
    if (signal.aborted) throw new ApiError('unavailable', 'the server is shutting down');
    const query = { page, page_size: limits.page_size_max };
    const { results, total } = await list(query);
    if (total > limits.export_memories_max) return null;
    for (const memory of results) memoriesById.set(memory.id, memory);
    if (results.length < limits.page_size_max) return [...memoriesById.values()];
  }
}

function exportConditions(record: StoredExport): SelectionConditions {
  const ids = entityIdFields.flatMap((field): [string, string][] => {
    const id = record[field];
    return id === null ? [] : [[field, id]];
  });
  return { ...Object.fromEntries(ids), filters: record.filters ?? undefined };
}
