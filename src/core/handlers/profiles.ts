import { ApiError, invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { entityTypes } from '../../contract/schemas/entity.ts';
import type { Output, Parsed } from '../../contract.ts';
import { selectionOf } from '../memory/selection.ts';
import type { Deps, Handlers, Instant, ProjectCall, ProjectRef } from '../ports/index.ts';
import type { ProfileOutput } from '../profile/make-profile.ts';
import {
  getProfileSettings,
  type ProfileSettingsPatch,
  profileSettingsId,
  type StoredProfileSettings,
} from '../profile/profile-settings.ts';

type ProfileOperation =
  | 'get_summary'
  | 'get_profile'
  | 'get_profile_settings'
  | 'update_profile_settings'
  | 'create_profile_job'
  | 'get_profile_job';

type ProfileJobOutput = Output<'create_profile_job'>;

/** A job as it is kept: whom it was about, and no word of what it made. */
type StoredProfileJob = Pick<ProfileJobOutput, 'id' | 'operation' | 'entity_type' | 'entity_id'> & {
  entity_ids: string[];
  created_at: Instant;
};

export function createProfileHandlers(deps: Deps): Pick<Handlers, ProfileOperation> {
  const { store, clock } = deps;

  return {
    get_summary: async (input, { project, signal }) => {
      const generated_at = clock.now();
      const selection = selectionOf(input, generated_at);
      const page = { page: 1, page_size: summaryMemoriesMax };
      const { results, total } = await store.memories.list(project, selection, page);
      const { writeSummary } = await import('../profile/summarize.ts'); // few ask for one
      const summary = await writeSummary(deps, results, signal);
      return { summary, memory_count: total, generated_at };
    },

    get_profile: async (input, { project, signal }) => {
      const { makeProfile } = await import('../profile/make-profile.ts'); // nor for one of these
      return makeProfile(deps, project, { ...input, signal });
    },

    get_profile_settings: async (_input, { project }) => getProfileSettings(store, project),

    update_profile_settings: async ({ enabled, entities }, { project }) =>
      store.transaction(async (tables) => {
        const settings = await mergeProfileSettings(await getProfileSettings(tables, project), {
          enabled,
          entities,
        });
        const document = {
          kind: 'profile_settings',
          id: profileSettingsId,
          value: settings,
        } as const;
        await tables.documents.put(project, { ...document, now: clock.now() });
        return settings;
      }),

    create_profile_job: (input, call) => createProfileJob(deps, input, call),

    get_profile_job: async ({ job_id }, { project }) => {
      const job = await store.documents.find<StoredProfileJob>(project, 'profile_job', job_id);
      if (job === null) throw new ApiError('not_found', 'profile job not found');
      const answer = await runProfileJob(deps, project, job);
      return { ...answer, job: countProfiles(answer) };
    },
  };
}

/** More never fit into a summary. */
const summaryMemoriesMax = 200;

/** Only what is sent changes, for each kind of entity too. */
async function mergeProfileSettings(
  current: StoredProfileSettings,
  { enabled, entities = {} }: ProfileSettingsPatch,
): Promise<StoredProfileSettings> {
  const settings: StoredProfileSettings = {
    enabled: enabled ?? current.enabled,
    entities: { ...current.entities },
  };
  for (const type of entityTypes) {
    const sent = entities[type];
    if (sent === undefined) continue;
    await checkProfileSchema(`entities.${type}.schema`, sent.schema ?? null);
    settings.entities[type] = { ...current.entities[type], ...sent };
  }
  return settings;
}

async function checkProfileSchema(
  field: string,
  schema: Record<string, unknown> | null,
): Promise<void> {
  if (schema === null) return;
  const { length } = JSON.stringify(schema);
  if (length > limits.export_schema_max_bytes) {
    throw invalid(field, `holds ${length} bytes; at most ${limits.export_schema_max_bytes}`);
  }
  const { compileSchema } = await import('../export/schema-shape.ts');
  compileSchema(schema, field);
}

/** Without a model a job is done at once. */
async function createProfileJob(
  deps: Deps,
  { operation, entity_type, entity_id, limit }: Parsed<'create_profile_job'>,
  { project }: ProjectCall,
): Promise<ProfileJobOutput> {
  const { store, clock, ids } = deps;
  const created_at = clock.now();
  const entity_ids =
    operation === 'trigger' && entity_id !== undefined
      ? [entity_id]
      : await sampleEntities(deps, project, { type: entity_type, limit });
  const id = ids.next();
  const about = { id, operation, entity_type, entity_id: entity_id ?? null };
  const job: StoredProfileJob = { ...about, entity_ids, created_at };
  await store.transaction((tables) =>
    tables.documents.put(project, { kind: 'profile_job', id, value: job, now: created_at }),
  );
  return runProfileJob(deps, project, job);
}

/** Those with the most memories. */
async function sampleEntities(
  { store }: Deps,
  project: ProjectRef,
  { type, limit }: { type: ProfileJobOutput['entity_type']; limit: number },
): Promise<string[]> {
  const { results } = await store.entities.list(project, { type, page: 1, page_size: 100 });
  const most = results.toSorted((one, other) => other.total_memories - one.total_memories);
  return most.slice(0, limit).map(({ id }) => id);
}

async function runProfileJob(
  deps: Deps,
  project: ProjectRef,
  job: StoredProfileJob,
): Promise<ProfileJobOutput> {
  const { id, entity_ids, operation, entity_type, created_at } = job;
  const { makeProfile } = await import('../profile/make-profile.ts');
  const profiles = await Promise.all(
    entity_ids.map((entity_id) => makeProfile(deps, project, { entity_type, entity_id })),
  );
  const status = jobStatusOf(profiles.map((profile) => profile.status));
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

function countProfiles({ id, operation, entity_type, status, profiles }: ProfileJobOutput) {
  const count = (isMeant: (profile: ProfileOutput) => boolean) => profiles.filter(isMeant).length;
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
function jobStatusOf(statuses: readonly ProfileJobOutput['status'][]): ProfileJobOutput['status'] {
  return statuses.find((status) => status === 'succeeded') ?? statuses[0] ?? 'insufficient_data';
}
