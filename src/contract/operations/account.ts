import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { bothClocks } from '../schemas/clocks.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { Filters } from '../schemas/filter.ts';
import {
  Profile,
  ProfileEntity,
  ProfileJob,
  ProfileJobCounts,
  ProfileSettings,
  ProfileShape,
  profileOperations,
} from '../schemas/profile.ts';
import { Flag, numeric } from '../schemas/query-values.ts';
import { registerRecordId } from '../schemas/record-id.ts';
import { Id } from '../schemas/text.ts';

/** Operations about a connection or a whole project; none of them is a tool. */
export const account = {
  ping: operation({
    summary: 'Check a key',
    description: 'Returns the owner of the key and its default organization and project.',
    scope: 'account:read',
    routes: [{ method: 'GET', path: '/v1/ping/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: z.object({
      status: z.literal('ok'),
      org_id: z.string(),
      project_id: z.string(),
      user_email: z.string(),
      /** Whether the key may only read; absent from services that do not say. */
      read_only: z.boolean().optional(),
      /** Whether it has the whole store, and so its configuration and all keys. */
      has_store: z.boolean().optional(),
      /** The time zone of its dates, an IANA name. */
      timezone: z.string().optional(),
    }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_stats: operation({
    summary: 'Get statistics',
    description: 'Counts the memories, writes and searches of a project.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/stats/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: z.object({
      total_memories: z.int(),
      total_add_events: z.int(),
      total_retrieval_events: z.int(),
      total_users_with_memories: z.int(),
      memories_per_user: z.number(),
    }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_growth: operation({
    summary: 'Get the growth of a project',
    description:
      'Counts added, changed and deleted memories, added memories by category, searches, and the ' +
      'tokens of kept recalls, for each day in the time zone of the server. Covers the newest ' +
      `${limits.growth_changes_max.toLocaleString('en')} changes of the project.`,
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/stats/growth/', carries: 'query' }],
    status: 200,
    input: z.object({
      days: numeric(z.int().min(1).max(limits.growth_days_max))
        .default(limits.growth_days_default)
        .describe(`Days until today, default ${limits.growth_days_default}`),
      ...projectScope,
    }),
    output: z.object({
      days: z.array(
        z.object({
          /** A day in the service's time zone; the oldest comes first. */
          day: z.string(),
          added: z.int(),
          updated: z.int(),
          deleted: z.int(),
          searches: z.int(),
          /** The tokens of the answers that are kept as recalls, estimated rather high. */
          recalled_tokens: z.int(),
          /** The number of added memories in each category. */
          categories: z.record(z.string(), z.int()),
        }),
      ),
    }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_summary: operation({
    summary: 'Summarize memories',
    description: 'Returns a short summary of the selected memories.',
    scope: 'memories:read',
    routes: [{ method: 'POST', path: '/v1/summary/', carries: 'body' }],
    status: 200,
    input: z.object({
      filters: Filters.optional(),
      ...entityScope,
      ...bothClocks,
      ...projectScope,
    }),
    output: z.object({ summary: z.string(), memory_count: z.int(), generated_at: z.string() }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_profile: operation({
    summary: 'Get the profile of an entity',
    description: 'Returns what the stored memories say about an entity, by topic.',
    scope: 'profiles:read',
    routes: [
      { method: 'GET', path: '/v2/entities/{entity_type}/{entity_id}/profile/', carries: 'query' },
    ],
    status: 200,
    input: z.object({
      entity_type: ProfileEntity,
      entity_id: Id.describe('Entity id'),
      ...bothClocks,
      ...projectScope,
    }),
    output: Profile,
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_profile_settings: operation({
    summary: 'Get profile settings',
    description: 'Returns whether profiles are generated, and their JSON Schemas.',
    scope: 'profiles:read',
    routes: [{ method: 'GET', path: '/v2/profiles/settings/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: ProfileSettings,
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  update_profile_settings: operation({
    summary: 'Update profile settings',
    description: 'Changes the settings that are sent and returns all of them.',
    scope: 'profiles:write',
    routes: [{ method: 'POST', path: '/v2/profiles/settings/', carries: 'body' }],
    status: 200,
    input: z.object({
      enabled: Flag.optional().describe('Generate profiles'),
      entities: z
        .partialRecord(ProfileEntity, ProfileShape)
        .optional()
        .describe('JSON Schema for each kind of entity'),
      ...projectScope,
    }),
    output: ProfileSettings,
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: null,
  }),

  create_profile_job: operation({
    summary: 'Generate profiles',
    description: 'Regenerates the profile of one entity (trigger), or of a sample of entities.',
    scope: 'profiles:write',
    routes: [{ method: 'POST', path: '/v2/profiles/jobs/', carries: 'body' }],
    status: 200,
    input: z
      .object({
        operation: z.enum(profileOperations).default('trigger').describe('What to generate'),
        entity_type: ProfileEntity.default('user'),
        entity_id: Id.optional().describe('Entity id'),
        limit: numeric(z.int().min(1).max(limits.profile_sample_max))
          .default(limits.profile_sample_default)
          .describe('Maximum entities in a sample'),
        ...projectScope,
      })
      .refine(({ operation: kind, entity_id }) => kind === 'sample' || entity_id !== undefined, {
        path: ['entity_id'],
        message: 'is required to trigger a profile',
      }),
    output: ProfileJob.extend({
      /** Whether this answers a repeat of its `Idempotency-Key`. */
      replayed: z.boolean(),
    }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: null,
  }),

  get_profile_job: operation({
    summary: 'Get a profile job',
    description: 'Returns the state and the profiles of a profile job.',
    scope: 'profiles:read',
    routes: [{ method: 'GET', path: '/v2/profiles/jobs/{job_id}/', carries: 'query' }],
    status: 200,
    input: z.object({
      job_id: registerRecordId('profile_job', Id.describe('Job')),
      ...projectScope,
    }),
    output: ProfileJob.extend({ job: ProfileJobCounts }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),
};
