import { ApiError } from '../../contract/errors.ts';
import { type Entity, entityIdField } from '../../contract/schemas/entity.ts';
import { deleteInChunks, erase } from '../memory/delete.ts';
import { recordEvent } from '../memory/record.ts';
import type { Deps, Handlers, Project, StoredEntity } from '../ports.ts';

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

    delete_entity: async ({ entity_type, entity_id }, { project }) =>
      store.transaction(async (tables) => {
        if ((await tables.entities.find(project, entity_type, entity_id)) === null) {
          throw new ApiError('not_found', 'entity not found');
        }
        const ofEntity = {
          filter: {
            field: entityIdField(entity_type),
            path: [],
            operator: 'eq' as const,
            value: entity_id,
          },
          latest_only: false,
          not_expired_on: null,
        };
        const unit = { tables, project };
        const deleted = await deleteInChunks(unit, ofEntity, (chunk) =>
          erase(
            unit,
            chunk.map(({ id }) => id),
          ),
        );
        await tables.history.deleteByEntity(project, entity_type, entity_id);
        await tables.jobs.deleteByEntity(project, entity_type, entity_id);
        await tables.events.redactByEntity(project, entity_type, entity_id);
        await tables.entities.delete(project, entity_type, entity_id);
        const event_id = await recordEvent(deps, unit, {
          event_type: 'DELETE_ENTITY',
          payload: { entity_type },
          metadata: { deleted },
        });
        return { message: 'Entity deleted successfully', deleted, event_id };
      }),
  };
}

function toEntity(entity: StoredEntity, project: Project): Entity {
  // Without accounts, whoever runs the process owns all that is in the file.
  return { ...entity, owner: 'local', organization: project.org_id };
}
