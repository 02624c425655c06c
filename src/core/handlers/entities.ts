import type { Entity } from '../../contract/schemas/entity.ts';
import type { Deps, Handlers, ProjectRef, StoredEntity } from '../ports/index.ts';

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

    delete_entity: async (input, call) => {
      const { eraseEntity } = await import('../memory/erase.ts'); // few calls erase
      return eraseEntity(deps, input, call);
    },
  };
}

function toEntity(entity: StoredEntity, project: ProjectRef): Entity {
  // Without accounts, whoever runs the process owns all that is in the file.
  return { ...entity, owner: 'local', organization: project.org_id };
}
