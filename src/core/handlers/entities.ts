import { ApiError } from '../../contract/errors.ts';
import { type Entity, type EntityType, entityIdField } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { Output, Parsed } from '../../contract.ts';
import { mayContainEntity, namesEntity } from '../export/affected-exports.ts';
import { recordEvent, type UnitOfWork } from '../history/record.ts';
import { deleteInChunks } from '../memory/delete.ts';
import { eraseMemories } from '../memory/remove.ts';
import type {
  Deps,
  ExportScope,
  Handlers,
  ProjectCall,
  ProjectRef,
  Selection,
  StoredEntity,
} from '../ports/index.ts';

type EntityOperation = 'list_entities' | 'delete_entity';

export function createEntityHandlers(deps: Deps): Pick<Handlers, EntityOperation> {
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
  { project }: ProjectCall,
): Promise<Output<'delete_entity'>> {
  return deps.store.transaction(async (tables) => {
    if ((await tables.entities.find(project, entity_type, entity_id)) === null) {
      throw new ApiError('not_found', 'entity not found');
    }
    const unit = { tables, project };
    const deleted = await deleteInChunks(unit, selectByEntity(entity_type, entity_id), (chunk) =>
      eraseMemories(
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
async function eraseExports({ tables, project }: UnitOfWork, entity: DeletedEntity): Promise<void> {
  const all = await tables.exports.listByEntity(project, entity.type, entity.id);
  const concerned = all.filter((record) => mayContainEntity(record, entity));
  const isErased = (record: ExportScope) =>
    namesEntity(record, entity) || record.status === 'SUCCEEDED' || record.status === 'FAILED';
  const erased = concerned.filter(isErased).map(({ id }) => id);
  const again = concerned.filter((record) => !isErased(record)).map(({ id }) => id);
  await tables.exports.delete(project, erased);
  await tables.jobs.revokeLeases(project, again);
}

type DeletedEntity = { type: EntityType; id: string };

function selectByEntity(type: EntityType, id: string): Selection {
  const filter: Filter = { field: entityIdField(type), path: [], operator: 'eq', value: id };
  return { filter, latest_only: false, not_expired_on: null };
}

function toEntity(entity: StoredEntity, project: ProjectRef): Entity {
  // Without accounts, whoever runs the process owns all that is in the file.
  return { ...entity, owner: 'local', organization: project.org_id };
}
