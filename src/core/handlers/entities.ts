import { limits } from '../../contract/limits.ts';
import type { Entity } from '../../contract/schemas/entity.ts';
import { eventTypes } from '../../contract/schemas/event.ts';
import { filterParameters } from '../../contract/schemas/filter-value.ts';
import { lockedEntities } from '../../contract/scope/memory-scope.ts';
import type { Output, Parsed } from '../../contract.ts';
import type {
  Deps,
  Handlers,
  ProjectCall,
  ProjectRef,
  StoredEntity,
  StoredProject,
} from '../ports/index.ts';
import { publicNumber } from '../tenants/public-number.ts';
import { findPastTime } from '../versions/read-past.ts';

type EntityOperation =
  | 'create_user'
  | 'create_agent'
  | 'create_app'
  | 'create_run'
  | 'list_entities'
  | 'get_filter_values'
  | 'delete_entity';

export function createEntityHandlers(deps: Deps): Pick<Handlers, EntityOperation> {
  return {
    create_user: async ({ user_id, metadata }, { project }) => {
      const entity = { type: 'user', id: user_id, name: user_id, metadata } as const;
      const { name: _, ...user } = await createEntity(deps, project, entity);
      return { ...user, user_id };
    },
    create_agent: async ({ agent_id, ...about }, { project }) => {
      const entity = { ...about, type: 'agent', id: agent_id } as const;
      return { ...(await createEntity(deps, project, entity)), agent_id };
    },
    create_app: async ({ app_id, ...about }, { project }) => {
      const entity = { ...about, type: 'app', id: app_id } as const;
      return { ...(await createEntity(deps, project, entity)), app_id };
    },
    create_run: async ({ run_id, ...about }, { project }) => {
      const entity = { ...about, type: 'run', id: run_id } as const;
      return { ...(await createEntity(deps, project, entity)), run_id };
    },

    list_entities: (input, call) => listEntities(deps, input, call),

    get_filter_values: (_input, { project }) => findFilterValues(deps, project),

    delete_entity: async (input, call) => {
      const { eraseEntity } = await import('../memory/erase.ts'); // few calls erase
      return eraseEntity(deps, input, call);
    },
  };
}

async function listEntities(
  deps: Deps,
  {
    entity_type,
    entity_id,
    query: text,
    sort,
    page,
    page_size,
    ...clocks
  }: Parsed<'list_entities'>,
  { project, caller }: ProjectCall,
): Promise<Output<'list_entities'>> {
  const past = await findPastTime(deps, project, clocks);
  const which = { type: entity_type, id: entity_id, text, created_until: past?.as_of };
  const only = lockedEntities(caller);
  const isLocked = Object.keys(only).length > 0;
  const query = { ...which, sort, page, page_size, ...(isLocked && { only }) };
  const { results: entities, totals } = await deps.store.entities.list(project, query);
  const counted =
    past === null ? entities : await loadCounts(deps.store, project, { entities, past });
  const { user, agent, app, run } = totals;
  return {
    results: counted.map((entity) => toEntity(entity, project)),
    total: entity_type === undefined ? user + agent + app + run : totals[entity_type],
    page,
    page_size,
    total_users: user,
    total_agents: agent,
    total_apps: app,
    total_runs: run,
  };
}

type CountAsOf = typeof import('../versions/past-counts.ts').countAsOf;

/** Few ask the past. */
const loadCounts: CountAsOf = async (...args) =>
  (await import('../versions/past-counts.ts')).countAsOf(...args);

async function findFilterValues(
  { store }: Deps,
  project: StoredProject,
): Promise<Output<'get_filter_values'>> {
  // With the rules' words, which most calls do without.
  const { defaultCategories } = await import('../extraction/languages/default-categories.ts');
  const { filter_values_max: page_size } = limits;
  const { results } = await store.entities.list(project, { type: 'user', page: 1, page_size });
  const { custom_categories } = project.settings;
  const own = custom_categories?.flatMap(Object.keys) ?? defaultCategories;
  const used = await store.memories.listCategories(project, page_size);
  return {
    event_type: [...eventTypes],
    categories: [...new Set([...own, ...used])],
    users: results.map(({ id }) => id),
    parameters: filterParameters(),
  };
}

function toEntity(entity: StoredEntity, project: ProjectRef): Entity {
  // Without accounts, the person who runs the process owns all that is in the file.
  return { ...entity, owner: 'local', organization: project.org_id };
}

type EntityToCreate = Pick<StoredEntity, 'type' | 'id' | 'name'> & {
  metadata?: StoredEntity['metadata'] | undefined;
};

/** The entity as the published API shows it; one that exists keeps what it has. */
async function createEntity(
  { store, clock }: Deps,
  project: ProjectRef,
  { type, id, name, metadata = {} }: EntityToCreate,
) {
  const now = clock.now();
  const stored = await store.transaction(({ entities }) =>
    entities.create(project, { type, id, name, metadata, created_at: now, updated_at: now }),
  );
  return {
    id: publicNumber(project.project_id, type, id, stored.created_at),
    name: stored.name,
    metadata: stored.metadata,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
    graph_entities: null,
    is_deleted: false,
    project: publicNumber(project.project_id),
  };
}
