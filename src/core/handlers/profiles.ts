import { ApiError, invalid } from '../../contract/errors.ts';
import type { Output, Parsed } from '../../contract/index.ts';
import { limits } from '../../contract/limits.ts';
import { entityTypes } from '../../contract/schemas/entity.ts';
import { selectionOf } from '../memory/selection.ts';
import type { Call, Deps, Handlers, Instant, Project } from '../ports.ts';
import type { Profile } from '../profile/profile.ts';
import {
  findSettings,
  type ProfileSettings,
  type ProfileSettingsPatch,
  settingsId,
} from '../profile/settings.ts';

type Names =
  | 'get_summary'
  | 'get_profile'
  | 'get_profile_settings'
  | 'update_profile_settings'
  | 'create_profile_job'
  | 'get_profile_job';

type JobOutput = Output<'create_profile_job'>;

/** A job as it is kept: whom it was about, and no word of what it made. */
type StoredJob = Pick<JobOutput, 'id' | 'operation' | 'entity_type' | 'entity_id'> & {
  entity_ids: string[];
  created_at: Instant;
};

export function createProfileHandlers(deps: Deps): Pick<Handlers, Names> {
  const { store, clock } = deps;

  return {
    get_summary: async (input, { project, signal }) => {
      const generated_at = clock.now();
      const selection = selectionOf(input, generated_at);
      const page = { page: 1, page_size: summaryMemoriesMax };
      const { results, total } = await store.memories.list(project, selection, page);
      const { summaryOf } = await import('../profile/summarize.ts'); // few ask for one
      const summary = await summaryOf(deps, results, signal);
      return { summary, memory_count: total, generated_at };
    },

    get_profile: async (input, { project, signal }) => {
      const { makeProfile } = await import('../profile/profile.ts'); // nor for one of these
      return makeProfile(deps, project, { ...input, signal });
    },

    get_profile_settings: async (_input, { project }) => findSettings(store, project),

    update_profile_settings: async ({ enabled, entities }, { project }) =>
      store.transaction(async (tables) => {
        const settings = await merged(await findSettings(tables, project), { enabled, entities });
        const document = { kind: 'profile_settings', id: settingsId, value: settings } as const;
        await tables.documents.put(project, { ...document, now: clock.now() });
        return settings;
      }),

    create_profile_job: (input, call) => createJob(deps, input, call),

    get_profile_job: async ({ job_id }, { project }) => {
      const job = await store.documents.find<StoredJob>(project, 'profile_job', job_id);
      if (job === null) throw new ApiError('not_found', 'profile job not found');
      const answer = await toJob(deps, project, job);
      return { ...answer, job: countsOf(answer) };
    },
  };
}

/** More never fit into a summary. */
const summaryMemoriesMax = 200;

/** Only what is sent changes, for each kind of entity too. */
async function merged(
  current: ProfileSettings,
  { enabled, entities = {} }: ProfileSettingsPatch,
): Promise<ProfileSettings> {
  const settings: ProfileSettings = {
    enabled: enabled ?? current.enabled,
    entities: { ...current.entities },
  };
  for (const type of entityTypes) {
    const sent = entities[type];
    if (sent === undefined) continue;
    await checkSchema(`entities.${type}.schema`, sent.schema ?? null);
    settings.entities[type] = { ...current.entities[type], ...sent };
  }
  return settings;
}

async function checkSchema(field: string, schema: Record<string, unknown> | null): Promise<void> {
  if (schema === null) return;
  const { length } = JSON.stringify(schema);
  if (length > limits.export_schema_max_bytes) {
    throw invalid(field, `holds ${length} bytes; at most ${limits.export_schema_max_bytes}`);
  }
  const { shapeOf } = await import('../export/shape.ts');
  shapeOf(schema, field);
}

/** Without a model a job is done at once. */
async function createJob(
  deps: Deps,
  { operation, entity_type, entity_id, limit }: Parsed<'create_profile_job'>,
  { project }: Call,
): Promise<JobOutput> {
  const { store, clock, ids } = deps;
  const created_at = clock.now();
  const entity_ids =
    operation === 'trigger' && entity_id !== undefined
      ? [entity_id]
      : await sampleOf(deps, project, { type: entity_type, limit });
  const id = ids.next();
  const about = { id, operation, entity_type, entity_id: entity_id ?? null };
  const job: StoredJob = { ...about, entity_ids, created_at };
  await store.transaction((tables) =>
    tables.documents.put(project, { kind: 'profile_job', id, value: job, now: created_at }),
  );
  return toJob(deps, project, job);
}

/** Those with the most memories. */
async function sampleOf(
  { store }: Deps,
  project: Project,
  { type, limit }: { type: JobOutput['entity_type']; limit: number },
): Promise<string[]> {
  const { results } = await store.entities.list(project, { type, page: 1, page_size: 100 });
  const most = results.toSorted((one, other) => other.total_memories - one.total_memories);
  return most.slice(0, limit).map(({ id }) => id);
}

async function toJob(deps: Deps, project: Project, job: StoredJob): Promise<JobOutput> {
  const { id, entity_ids, operation, entity_type, created_at } = job;
  const { makeProfile } = await import('../profile/profile.ts');
  const profiles = await Promise.all(
    entity_ids.map((entity_id) => makeProfile(deps, project, { entity_type, entity_id })),
  );
  const status = statusOf(profiles.map((profile) => profile.status));
  return {
    ...job,
    job_id: id,
    status_url: `/v2/profiles/jobs/${id}/`,
    status,
    entity_count_reserved: entity_ids.length,
    ...(operation === 'sample' && { sampled: entity_ids.length }),
    event_id: null,
    profiles,
    error: null,
    completed_at: created_at,
  };
}

function countsOf({ id, operation, entity_type, status, profiles }: JobOutput) {
  const count = (isMeant: (profile: Profile) => boolean) => profiles.filter(isMeant).length;
  const total = profiles.length;
  const succeeded = count((profile) => profile.status === 'succeeded');
  const failed = count((profile) => profile.status === 'failed');
  return {
    id,
    operation,
    entity_type,
    status,
    total,
    completed: total,
    succeeded,
    failed,
    enumeration_complete: true as const,
    skipped: total - succeeded - failed,
  };
}

/** What one of them came to is the job's state; a sample of nobody has too little to go by. */
function statusOf(statuses: readonly JobOutput['status'][]): JobOutput['status'] {
  return statuses.find((status) => status === 'succeeded') ?? statuses[0] ?? 'insufficient_data';
}
