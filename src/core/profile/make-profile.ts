import { limits } from '../../contract/limits.ts';
import { type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import type { Output } from '../../contract.ts';
import { collectEvidence, groundShape } from '../export/ground-schema.ts';
import { compileSchema } from '../export/schema-shape.ts';
import { toWriterFact, tryWriter, writeSchema } from '../export/write-schema.ts';
import { selectionOf } from '../memory/selection.ts';
import type {
  Deps,
  Instant,
  ProjectRef,
  Selection,
  StoredMemory,
  TextWriter,
} from '../ports/index.ts';
import { getProfileSettings } from './profile-settings.ts';
import { groupByTopic } from './summarize.ts';

export type ProfileOutput = Output<'get_profile'>;
/** Fewer say too little of anyone. */
const memoriesMin = 3;
const topicFactsMax = 20;

type ProfileDeps = Pick<Deps, 'store' | 'clock' | 'writer' | 'log' | 'timezone'>;
type ProfileSubject = {
  entity_type: EntityType;
  entity_id: string;
  signal?: AbortSignal | undefined;
};

/**
 * Makes the profile of an entity from its newest memories. It is stored nowhere, so that it never
 * tells what was deleted since.
 */
export async function makeProfile(
  deps: ProfileDeps,
  project: ProjectRef,
  { entity_type, entity_id, signal }: ProfileSubject,
): Promise<ProfileOutput> {
  const { store, clock } = deps;
  const now = clock.now();
  const { enabled, entities } = await getProfileSettings(store, project);
  const selection = selectionOfEntity({ entity_type, entity_id }, now, deps);
  const page = { page: 1, page_size: limits.page_size_max };
  const { results, total } = await store.memories.list(project, selection, page);
  const about = { entity_type, entity_id, memory_count: total, error: null };
  const none = { profile: {}, generated_at: null, updated_at: null, generation_count: 0 };
  if (!enabled) return { ...about, ...none, status: 'not_enabled' };
  if (total < memoriesMin) return { ...about, ...none, status: 'insufficient_data' };
  const { schema = null, custom_instructions = null } = entities[entity_type] ?? {};
  const options = { instructions: custom_instructions, signal };
  const profile =
    schema === null
      ? await writeTopics(deps, results, options)
      : (await writeSchema(deps, results, { ...options, schema })).data;
  const generation = { generated_at: now, updated_at: now, generation_count: 1 };
  return { ...about, ...generation, status: 'succeeded', profile };
}

/** The memories that a profile is made of. */
export function selectionOfEntity(
  { entity_type, entity_id }: Pick<ProfileSubject, 'entity_type' | 'entity_id'>,
  now: Instant,
  zone: Pick<Deps, 'timezone'>,
): Selection {
  return selectionOf({ filters: { [entityIdField(entity_type)]: entity_id } }, now, zone);
}

type TopicOptions = { instructions: string | null; signal: AbortSignal | undefined };

/** The model's summary by topic; the memories themselves if it has none. */
async function writeTopics(
  deps: ProfileDeps,
  memories: readonly StoredMemory[],
  { instructions, signal }: TopicOptions,
): Promise<ProfileOutput['profile']> {
  const names = new Set([...defaultTopics, ...memories.flatMap(({ categories }) => categories)]);
  const facts = { type: 'array', items: { type: 'string' } };
  const properties = Object.fromEntries(
    [...names].slice(0, topicsMax).map((name) => [name, facts]),
  );
  const schema = { type: 'object', properties };
  const ask = (writer: TextWriter) =>
    writer.fill(memories.map(toWriterFact), { schema, instructions, ...(signal && { signal }) });
  const written = await tryWriter(deps, ask, signal);
  const filled =
    written === null || 'notice' in written
      ? {}
      : groundShape(compileSchema(schema), written.value, collectEvidence(memories));
  const byTopic = Object.entries(filled as Record<string, string[]>).filter(
    ([, list]) => list.length,
  );
  const topics = byTopic.length > 0 ? byTopic : [...groupByTopic(memories)];
  return Object.fromEntries(topics.map(([topic, list]) => [topic, list.slice(0, topicFactsMax)]));
}

/** Topics for a model to sort facts into, in addition to their categories. */
const defaultTopics = `personal_details family professional_details sports travel food music health
  technology hobbies fashion entertainment milestones user_preferences misc`.split(/\s+/);
const topicsMax = 100;
