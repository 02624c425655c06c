import type { Output, Parsed } from '../../contract/index.ts';
import { limits } from '../../contract/limits.ts';
import { type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import { fillShape } from '../export/fill-schema.ts';
import { shapeOf } from '../export/shape.ts';
import { selectionOf } from '../memory/selection.ts';
import type { Deps, Project } from '../ports.ts';
import { byTopic } from './summarize.ts';

export type Profile = Output<'get_profile'>;
export type ProfileSettings = Output<'get_profile_settings'>;
export type ProfileSettingsPatch = Omit<Parsed<'update_profile_settings'>, 'org_id' | 'project_id'>;

/** On by default: without a model a profile costs one read, and is made when it is asked for. */
const defaultSettings: ProfileSettings = { enabled: true, entities: {} };

/** Fewer say too little of anyone. */
const memoriesMin = 3;
const topicFactsMax = 20;

export async function findSettings(
  { documents }: Pick<Deps['store'], 'documents'>,
  project: Project,
): Promise<ProfileSettings> {
  const stored = await documents.find<ProfileSettings>(project, 'profile_settings', settingsId);
  return stored ?? defaultSettings;
}

/** A project has one document of settings. */
export const settingsId = 'settings';

/**
 * Makes the profile of an entity from its newest memories. It is kept nowhere, so that it never
 * tells what was deleted since.
 */
export async function makeProfile(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  project: Project,
  { entity_type, entity_id }: { entity_type: EntityType; entity_id: string },
): Promise<Profile> {
  const now = clock.now();
  const { enabled, entities } = await findSettings(store, project);
  const selection = selectionOf({ filters: { [entityIdField(entity_type)]: entity_id } }, now);
  const page = { page: 1, page_size: limits.page_size_max };
  const { results, total } = await store.memories.list(project, selection, page);
  const about = { entity_type, entity_id, memory_count: total, error: null };
  const none = { profile: {}, generated_at: null, updated_at: null, generation_count: 0 };
  if (!enabled) return { ...about, ...none, status: 'not_enabled' };
  if (total < memoriesMin) return { ...about, ...none, status: 'insufficient_data' };
  const schema = entities[entity_type]?.schema ?? null;
  const topics = [...byTopic(results)].map(([topic, facts]): [string, string[]] => [
    topic,
    facts.slice(0, topicFactsMax),
  ]);
  const profile =
    schema === null ? Object.fromEntries(topics) : await fillShape(shapeOf(schema), results);
  const made = { generated_at: now, updated_at: now, generation_count: 1 };
  return { ...about, ...made, status: 'succeeded', profile };
}
