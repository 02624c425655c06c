import * as z from 'zod';
import { Id } from './text.ts';

export const entityTypes = ['user', 'agent', 'app', 'run'] as const;
export type EntityType = (typeof entityTypes)[number];

/** Ids of the entities that a memory belongs to: one or more of the four. */
export type EntityIds = {
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
  run_id: string | null;
};

export const entityIdFields = ['user_id', 'agent_id', 'app_id', 'run_id'] as const;

/** The id field of an entity type: `user` to `user_id`. */
export function entityIdField(type: EntityType): keyof EntityIds {
  return `${type}_id`;
}

/** The types and the id field of each. */
export const typedIdFields = entityTypes.map((type) => ({ type, field: entityIdField(type) }));

/** The id of one entity. In a search `*` means any, so nothing can belong to one of that name. */
export const EntityId = Id.regex(/^(?!\*$)/, '"*" means any; name one id').regex(
  /^(?!\.{1,2}$)/,
  'must not be "." or "..", which no path can name',
);

/** Optional entity ids at the top level of an input. */
export const entityScope = scopeOf(Id);

/** The same for what is stored: `*` owns nothing. */
export const ownerScope = scopeOf(EntityId);

function scopeOf(id: typeof Id) {
  return {
    user_id: id.optional().describe('Whose memories; default: the current user'),
    agent_id: id.optional().describe('Memories of this agent'),
    app_id: id.optional().describe('Memories of this app'),
    run_id: id.optional().describe('Memories of this session'),
  };
}

/** Optional organization and project of a request; by default the caller's own. */
export const projectScope = {
  org_id: Id.optional().describe('Organization'),
  project_id: Id.optional().describe('Id or name; default: the current project'),
};

export const EntityTypeField = z
  .enum(entityTypes, { error: `Invalid entity type; allowed: ${entityTypes.join(', ')}` })
  .describe('Kind of owner');

/** The orders in which entities can be listed. */
export const entityOrders = ['created_at', 'updated_at', 'total_memories', 'name'] as const;
export type EntityOrder = (typeof entityOrders)[number];

/**
 * A user, agent, app or run. `total_memories` counts live; `created_at` and `updated_at` are when
 * the first and the last of its memories were added.
 */
export const Entity = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(entityTypes),
  total_memories: z.int(),
  owner: z.string(),
  organization: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Entity = z.output<typeof Entity>;
