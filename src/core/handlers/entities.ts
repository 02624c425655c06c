import { ApiError } from '../../contract/errors.ts';
import type { Output, Parsed } from '../../contract/index.ts';
import { type Entity, type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import { mayConcern, names } from '../export/concern.ts';
import { deleteInChunks } from '../memory/delete.ts';
import { recordEvent, type Unit } from '../memory/record.ts';
import { erase } from '../memory/remove.ts';
import type {
  Call,
  Deps,
  ExportScope,
  Handlers,
  Project,
  Selection,
  StoredEntity,
} from '../ports.ts';

type Names = 'list_entities' | 'delete_entity';

export function createEntityHandlers(deps: Deps): Pick<Handlers, Names> {
  const { store } = deps;

  return {
    list_entities: async ({ entity_type, entity_id, page, page_size }, { project }) => {
      const query = { type: entity_type, id: entity_id, page, page_size };
      const { results, totals } = await store.entities.list(project, query);
      const { user, agent, app, run } = totals;
      return {
        results: results.map((entity) => toEntity(entity, project)),
        total: entity_type === undefined ? user + agent + app + run : totals[entity_type],
        page,
        page_size,
        total_users: user,
        total_agents: agent,
        total_apps: app,
        total_runs: run,
      };
    },

    delete_entity: (input, call) => deleteEntity(deps, input, call),
  };
}

/** Takes the entity and everything that carries its id, all or nothing. */
async function deleteEntity(
  deps: Deps,
  { entity_type, entity_id }: Parsed<'delete_entity'>,
  { project }: Call,
): Promise<Output<'delete_entity'>> {
  return deps.store.transaction(async (tables) => {
    if ((await tables.entities.find(project, entity_type, entity_id)) === null) {
      throw new ApiError('not_found', 'entity not found');
    }
    const unit = { tables, project };
    const deleted = await deleteInChunks(unit, memoriesOf(entity_type, entity_id), (chunk) =>
      erase(
        unit,
        chunk.map(({ id }) => id),
      ),
    );
    // First, because the history tells which deliveries are about the entity's memories.
    await tables.deliveries.deleteByEntity(project, entity_type, entity_id);
    await eraseExports(unit, { type: entity_type, id: entity_id });
    await tables.history.deleteByEntity(project, entity_type, entity_id);
    await tables.jobs.deleteByEntity(project, entity_type, entity_id);
    const now = deps.clock.now();
    await tables.events.redactByEntity(
      project,
      { type: entity_type, id: entity_id },
      {
        status: 'FAILED',
        error: 'the entity was deleted before this was done',
        completed_at: now,
        updated_at: now,
      },
    );
    await tables.entities.delete(project, entity_type, entity_id);
    const event_id = await recordEvent(deps, unit, {
      event_type: 'DELETE_ENTITY',
      payload: { entity_type },
      metadata: { deleted },
    });
    return { message: 'Entity deleted successfully', deleted, event_id };
  });
}

/**
 * An export may tell of an entity that it does not name. What is being made of such memories is
 * begun again, when they are gone.
 */
async function eraseExports({ tables, project }: Unit, entity: EntityRef): Promise<void> {
  const all = await tables.exports.listAbout(project, entity.type, entity.id);
  const concerned = all.filter((record) => mayConcern(record, entity));
  const isErased = (record: ExportScope) =>
    names(record, entity) || record.status === 'SUCCEEDED' || record.status === 'FAILED';
  const erased = concerned.filter(isErased).map(({ id }) => id);
  const again = concerned.filter((record) => !isErased(record)).map(({ id }) => id);
  await tables.exports.delete(project, erased);
  await tables.jobs.revoke(project, again);
}

type EntityRef = { type: EntityType; id: string };

function memoriesOf(type: EntityType, id: string): Selection {
  const filter: Filter = { field: entityIdField(type), path: [], operator: 'eq', value: id };
  return { filter, latest_only: false, not_expired_on: null };
}

function toEntity(entity: StoredEntity, project: Project): Entity {
  // Without accounts, whoever runs the process owns all that is in the file.
  return { ...entity, owner: 'local', organization: project.org_id };
}
