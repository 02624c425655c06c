import { invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { entityTypes } from '../../contract/schemas/entity.ts';
import type { Parsed } from '../../contract.ts';
import { selectionOf } from '../memory/selection.ts';
import type { Deps, Handlers, Instant, ProjectCall } from '../ports/index.ts';
import type { ProfileOutput } from '../profile/make-profile.ts';
import {
  getProfileSettings,
  type ProfileSettingsPatch,
  profileSettingsId,
  type StoredProfileSettings,
} from '../profile/profile-settings.ts';
import { readAt } from '../versions/read-past.ts';

type ProfileOperation =
  | 'get_summary'
  | 'get_profile'
  | 'get_profile_settings'
  | 'update_profile_settings'
  | 'create_profile_job'
  | 'get_profile_job';

export function createProfileHandlers(deps: Deps): Pick<Handlers, ProfileOperation> {
  const { store, clock } = deps;

  return {
    get_summary: async (input, { project, signal }) => {
      const generated_at = clock.now();
      const select = (now: Instant) => selectionOf(input, now, deps);
      const { at, selection } = await readAt(deps, project, { input, select });
      const page = { page: 1, page_size: summaryMemoriesMax };
      const { results, total } = await at.store.memories.list(project, selection, page);
      const { writeSummary } = await import('../profile/summarize.ts'); // few ask for one
      const summary = await writeSummary(deps, results, signal);
      return { summary, memory_count: total, generated_at };
    },

    get_profile: (input, call) => getProfile(deps, input, call),

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

    create_profile_job: async (input, call) => {
      const { createProfileJob } = await import('../profile/profile-jobs.ts'); // few make jobs
      return createProfileJob(deps, input, call);
    },

    get_profile_job: async (input, call) => {
      const { getProfileJob } = await import('../profile/profile-jobs.ts');
      return getProfileJob(deps, input, call);
    },
  };
}

async function getProfile(
  deps: Deps,
  input: Parsed<'get_profile'>,
  { project, signal }: ProjectCall,
): Promise<ProfileOutput> {
  // Few ask for one.
  const { makeProfile, selectionOfEntity } = await import('../profile/make-profile.ts');
  const select = (now: Instant) => selectionOfEntity(input, now, deps);
  const { at } = await readAt(deps, project, { input, select });
  const profile = await makeProfile(at, project, { ...input, signal });
  // That of an earlier time is made now as well.
  const generated_at = profile.generated_at && deps.clock.now();
  return { ...profile, generated_at, updated_at: generated_at };
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
