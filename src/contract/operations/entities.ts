import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Entity, EntityTypeField, projectScope } from '../schemas/entity.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { Receipt } from '../schemas/receipt.ts';
import { Id } from '../schemas/text.ts';
import { nameEntity } from './client-shapes.ts';

const EntityRefInput = z.object({
  entity_type: EntityTypeField,
  entity_id: Id.describe('Its id'),
  ...projectScope,
});

export const entities = {
  list_entities: operation({
    summary: 'List entities',
    description: 'Lists the users, agents, apps and runs that memories belong to, newest first.',
    scope: 'entities:read',
    routes: [
      { method: 'GET', path: '/v1/entities/', carries: 'query' },
      {
        method: 'GET',
        path: '/v1/entities/users/',
        carries: 'query',
        fixed: { entity_type: 'user' },
      },
      { method: 'GET', path: '/v2/entities/{entity_type}/{entity_id}/', carries: 'query' },
    ],
    status: 200,
    input: z.object({
      entity_type: EntityTypeField.optional(),
      entity_id: Id.optional().meta({ internal: true }),
      page: PageNumber.default(1),
      page_size: PageSize.default(limits.page_size_default),
      ...projectScope,
    }),
    output: pageSchema(Entity).extend({
      total_users: z.int(),
      total_agents: z.int(),
      total_apps: z.int(),
      total_runs: z.int(),
    }),
    publishedKey: 'results',
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'List entities',
      description: 'Users, agents, apps and runs that have memories, with counts.',
      toolsets: ['entities'],
      destructive: false,
      idempotent: true,
      fields: ['entity_type', 'page', 'page_size', 'project_id'],
    },
  }),

  delete_entity: operation({
    summary: 'Delete an entity',
    description:
      'Deletes an entity and everything with its id: memories (shared ones too), their history ' +
      'and feedback, their data in events, and exports that may contain them. The receipt says ' +
      'what was removed from where.',
    scope: 'entities:write',
    routes: [
      { method: 'DELETE', path: '/v2/entities/{entity_type}/{entity_id}/', carries: 'query' },
      { method: 'DELETE', path: '/v1/entities/{entity_type}/{entity_id}/', carries: 'query' },
      {
        method: 'DELETE',
        path: '/v1/entities/users/{entity_id}/',
        carries: 'query',
        fixed: { entity_type: 'user' },
      },
    ],
    status: 204,
    input: EntityRefInput,
    normalize: nameEntity,
    output: z.object({
      message: z.string(),
      deleted: z.int(),
      event_id: z.string(),
      receipt: Receipt,
    }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Delete entity',
      description: 'Erase an entity with all its memories and history.',
      toolsets: ['entities'],
      destructive: true,
      idempotent: true,
      fields: ['entity_type', 'entity_id', 'project_id'],
      aliases: ['delete_entities'],
      confirm: ({ entity_type, entity_id }) => ({ [`${entity_type}_id`]: entity_id }),
    },
  }),
};
