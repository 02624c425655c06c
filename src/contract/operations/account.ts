import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { Filters } from '../schemas/filter.ts';
import { Flag, numeric } from '../schemas/page.ts';
import {
  Profile,
  ProfileEntity,
  ProfileJob,
  ProfileJobCounts,
  ProfileSettings,
  ProfileShape,
} from '../schemas/profile.ts';
import { Id } from '../schemas/text.ts';

/** What clients ask about a connection and about a project as a whole; none of it is a tool. */
export const account = {
  ping: operation({
    summary: 'Check a key',
    description: 'Answers whose key this is and where its requests go by default.',
    scope: 'account:read',
    routes: [{ method: 'GET', path: '/v1/ping/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: z.object({
      status: z.literal('ok'),
      org_id: z.string(),
      project_id: z.string(),
      user_email: z.string(),
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

  get_summary: operation({
    summary: 'Summarize memories',
    description: 'Answers a short text of what the selected memories say.',
    scope: 'memories:read',
    routes: [{ method: 'POST', path: '/v1/summary/', carries: 'body' }],
    status: 200,
    input: z.object({ filters: Filters.optional(), ...entityScope, ...projectScope }),
    output: z.object({ summary: z.string(), memory_count: z.int(), generated_at: z.string() }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_profile: operation({
    summary: 'Get the profile of an entity',
    description: 'Answers what is known of a user, by topic, from stored memories.',
    scope: 'profiles:read',
    routes: [
      { method: 'GET', path: '/v2/entities/{entity_type}/{entity_id}/profile/', carries: 'query' },
    ],
    status: 200,
    input: z.object({
      entity_type: ProfileEntity,
      entity_id: Id.describe('Its id'),
      ...projectScope,
    }),
    output: Profile,
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  get_profile_settings: operation({
    summary: 'Get the settings of profiles',
    description: 'Answers whether profiles are made, and in which shape.',
    scope: 'profiles:read',
    routes: [{ method: 'GET', path: '/v2/profiles/settings/', carries: 'query' }],
    status: 200,
    input: z.object({ ...projectScope }),
    output: ProfileSettings,
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  update_profile_settings: operation({
    summary: 'Update the settings of profiles',
    description: 'Changes what is sent and answers the settings as they are then.',
    scope: 'profiles:write',
    routes: [{ method: 'POST', path: '/v2/profiles/settings/', carries: 'body' }],
    status: 200,
    input: z.object({
      enabled: Flag.optional().describe('Make profiles'),
      entities: z
        .partialRecord(ProfileEntity, ProfileShape)
        .optional()
        .describe('Shape of each kind'),
      ...projectScope,
    }),
    output: ProfileSettings,
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: null,
  }),

  create_profile_job: operation({
    summary: 'Make profiles',
    description: 'Makes the profile of one entity anew (trigger), or of some as a sample.',
    scope: 'profiles:write',
    routes: [{ method: 'POST', path: '/v2/profiles/jobs/', carries: 'body' }],
    status: 200,
    input: z
      .object({
        operation: z.enum(['trigger', 'sample']).default('trigger').describe('What to make'),
        entity_type: ProfileEntity.default('user'),
        entity_id: Id.optional().describe('Its id'),
        limit: numeric(z.int().min(1).max(limits.profile_sample_max))
          .default(limits.profile_sample_default)
          .describe('Most entities of a sample'),
        ...projectScope,
      })
      .refine(({ operation: kind, entity_id }) => kind === 'sample' || entity_id !== undefined, {
        path: ['entity_id'],
        message: 'is required to trigger a profile',
      }),
    output: ProfileJob,
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: null,
  }),

  get_profile_job: operation({
    summary: 'Get a profile job',
    description: 'Answers the state of a profile job and what it made.',
    scope: 'profiles:read',
    routes: [{ method: 'GET', path: '/v2/profiles/jobs/{job_id}/', carries: 'query' }],
    status: 200,
    input: z.object({ job_id: Id.describe('Job'), ...projectScope }),
    output: ProfileJob.extend({ job: ProfileJobCounts }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),
};
