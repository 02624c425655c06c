import * as z from 'zod';
import { limits } from '../limits.ts';
import { entityTypes } from './entity.ts';
import { SchemaDocument } from './json.ts';
import { freeText } from './text.ts';

const profileStatuses = [
  'succeeded',
  'pending',
  'failed',
  'not_enabled',
  'insufficient_data',
] as const;

/** What a job generates: the profile of one entity, or those of a sample. */
export const profileOperations = ['trigger', 'sample'] as const;

export const ProfileEntity = z.enum(entityTypes).describe('Kind');

/** The shape of profiles of one entity type: a JSON Schema to fill, and instructions. */
export const ProfileShape = z.object({
  schema: SchemaDocument.nullable().optional(),
  custom_instructions: freeText(limits.instructions_max_chars).nullable().optional(),
});

/** Whether profiles are generated, and the shape for each entity type. */
export const ProfileSettings = z.object({
  enabled: z.boolean(),
  entities: z.partialRecord(ProfileEntity, ProfileShape),
});

/** The profile of one entity. */
export const Profile = z.object({
  entity_type: ProfileEntity,
  entity_id: z.string(),
  status: z.enum(profileStatuses),
  /** By topic, or in the shape of the configured schema; empty unless it succeeded. */
  profile: z.record(z.string(), z.unknown()),
  memory_count: z.int(),
  generated_at: z.string().nullable(),
  /** Repeats `generated_at`, because some clients read this field. */
  updated_at: z.string().nullable(),
  generation_count: z.int(),
  error: z.string().nullable(),
});

/** A job that generates profiles, with its results so far. */
export const ProfileJob = z.object({
  id: z.string(),
  job_id: z.string(),
  /** Path of `get_profile_job` for this job. */
  status_url: z.string(),
  operation: z.enum(profileOperations),
  status: z.enum(profileStatuses),
  entity_type: ProfileEntity,
  entity_id: z.string().nullable(),
  entity_ids: z.array(z.string()),
  entity_count_reserved: z.int(),
  /** The number of entities in a sample. */
  sampled: z.int().optional(),
  event_id: z.string().nullable(),
  profiles: z.array(Profile),
  error: z.string().nullable(),
  created_at: z.string(),
  completed_at: z.string().nullable(),
});

/** Counts of a job by outcome. */
export const ProfileJobCounts = z.object({
  id: z.string(),
  operation: z.enum(profileOperations),
  entity_type: ProfileEntity,
  status: z.enum(profileStatuses),
  total: z.int(),
  /** The entities of a job are known when it is created. */
  enumeration_complete: z.literal(true),
  completed: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  skipped: z.int(),
});
