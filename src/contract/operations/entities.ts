import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { bothClocks } from '../schemas/clocks.ts';
import {
  Entity,
  EntityId,
  EntityTypeField,
  entityOrders,
  projectScope,
} from '../schemas/entity.ts';
import { Metadata } from '../schemas/json.ts';
import { DisplayName } from '../schemas/member.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { Receipt } from '../schemas/receipt.ts';
import { Id, nameText } from '../schemas/text.ts';
import { nameEntity } from './client-shapes.ts';

const EntityRefInput = z.object({
  entity_type: EntityTypeField,
  entity_id: EntityId.describe('Id of the owner'),
  ...projectScope,
});

const ListEntitiesInput = z
  .object({
    entity_type: EntityTypeField.optional(),
    entity_id: Id.optional().meta({ internal: true }),
    query: nameText(limits.id_max_chars)
      .optional()
      .describe('Part of the id or name, ignoring case'),
    sort: z
      .enum(entityOrders, { error: `must be one of ${entityOrders.join(', ')}` })
      .default('created_at')
      .describe('name sorts from A to Z, the others from newest or most'),
    ...bothClocks,
    page: PageNumber.default(1),
    page_size: PageSize.default(limits.page_size_default),
    ...projectScope,
  })
  .refine(
    ({ sort, as_of, valid_at }) =>
      sort === 'created_at' || sort === 'name' || (as_of ?? valid_at) === undefined,
    { path: ['sort'], message: 'must be created_at or name with as_of or valid_at' },
  );

const created = { status: 201, errors: ['invalid', 'forbidden', 'not_found'], tool: null } as const;
const metadata = Metadata.optional().describe('Custom data');
const newEntityFields = {
  name: DisplayName,
  metadata,
  ...projectScope,
};

/** An entity as the published API numbers it; `project` is the number of its project. */
const createdFields = {
  id: z.int(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
  graph_entities: z.null(),
  is_deleted: z.boolean(),
  project: z.int(),
};
const createdNamedFields = { ...createdFields, name: z.string() };

export const entities = {
  create_user: operation({
    ...created,
    summary: 'Create a user',
    description: createDescription('a user'),
    scope: 'entities:write',
    routes: [{ method: 'POST', path: '/v1/users/', carries: 'body' }],
    input: z.object({ user_id: EntityId.describe('User'), metadata, ...projectScope }),
    output: z.object({ ...createdFields, user_id: z.string() }),
  }),

  create_agent: operation({
    ...created,
    summary: 'Create an agent',
    description: createDescription('an agent'),
    scope: 'entities:write',
    routes: [{ method: 'POST', path: '/v1/agents/', carries: 'body' }],
    input: z.object({ agent_id: EntityId.describe('Agent'), ...newEntityFields }),
    output: z.object({ ...createdNamedFields, agent_id: z.string() }),
  }),

  create_app: operation({
    ...created,
    summary: 'Create an app',
    description: createDescription('an app'),
    scope: 'entities:write',
    routes: [{ method: 'POST', path: '/v1/apps/', carries: 'body' }],
    input: z.object({ app_id: EntityId.describe('App'), ...newEntityFields }),
    output: z.object({ ...createdNamedFields, app_id: z.string() }),
  }),

  create_run: operation({
    ...created,
    summary: 'Create a run',
    description: createDescription('a run'),
    scope: 'entities:write',
    routes: [{ method: 'POST', path: '/v1/runs/', carries: 'body' }],
    input: z.object({ run_id: EntityId.describe('Session'), ...newEntityFields }),
    output: z.object({ ...createdNamedFields, run_id: z.string() }),
  }),

  list_entities: operation({
    summary: 'List entities',
    description: 'Lists users, agents, apps and runs with counts of their memories, newest first.',
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
    input: ListEntitiesInput,
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
      description: 'List users, agents, apps and runs, with counts of memories.',
      toolsets: ['entities'],
      destructive: false,
      idempotent: true,
      fields: ['entity_type', 'page', 'page_size', 'project_id'],
    },
  }),

  get_filter_values: operation({
    summary: 'List filter values',
    description:
      'Returns what lists can be filtered by: event types, the categories of the project and of ' +
      `its newest ${limits.filter_values_max} memories, up to ${limits.filter_values_max} of its ` +
      'newest users, and the filter fields with their operators.',
    scope: 'entities:read',
    routes: [{ method: 'GET', path: '/v1/entities/filters/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: z.object({
      event_type: z.array(z.string()),
      categories: z.array(z.string()),
      users: z.array(z.string()),
      parameters: z.array(z.object({ name: z.string(), operators: z.array(z.string()) })),
    }),
    errors: ['invalid', 'not_found'],
    tool: null,
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
      normalize: nameEntity,
      confirm: ({ entity_type, entity_id }) => ({ [`${entity_type}_id`]: entity_id }),
      forGood: true,
    },
  }),
};

/** A function, because the table above needs it while the module loads. */
function createDescription(entity: string): string {
  return (
    `Creates ${entity} before its first memory. If it exists, it is returned unchanged, except ` +
    'that a missing name and missing metadata are added.'
  );
}
