import * as z from 'zod';
import { limits } from '../limits.ts';
import { entityTypes } from './entity.ts';
import { SchemaDocument } from './json.ts';
import { tooLongError } from './text.ts';

const profileStatuses = [
  'succeeded',
  'pending',
  'failed',
  'not_enabled',
  'insufficient_data',
] as const;

export const ProfileEntity = z.enum(entityTypes).describe('Kind');

/** What a profile of one kind of entity holds: a JSON Schema to fill, and how. */
export const ProfileShape = z.object({
  schema: SchemaDocument.nullable().optional(),
  custom_instructions: z
    .string()
    .max(limits.instructions_max_chars, tooLongError(limits.instructions_max_chars))
    .nullable()
    .optional(),
});

/** Whether profiles are made, and in which shape those of each kind of entity. */
export const ProfileSettings = z.object({
  enabled: z.boolean(),
  entities: z.partialRecord(ProfileEntity, ProfileShape),
});

/** What is known of one entity. */
export const Profile = z.object({
  entity_type: ProfileEntity,
  entity_id: z.string(),
  status: z.enum(profileStatuses),
  /** By topic, or in the shape of the settings' schema; empty unless it succeeded. */
  profile: z.record(z.string(), z.unknown()),
  memory_count: z.int(),
  generated_at: z.string().nullable(),
  /** The same as `generated_at`: clients look for either. */
  updated_at: z.string().nullable(),
  generation_count: z.int(),
  error: z.string().nullable(),
});

/** The making of profiles, and what came of it so far. */
export const ProfileJob = z.object({
  id: z.string(),
  job_id: z.string(),
  /** Path under which `get_profile_job` answers it. */
  status_url: z.string(),
  operation: z.string(),
  status: z.enum(profileStatuses),
  entity_type: ProfileEntity,
  entity_id: z.string().nullable(),
  entity_ids: z.array(z.string()),
  entity_count_reserved: z.int(),
  /** How many entities a sample picked. */
  sampled: z.int().optional(),
  event_id: z.string().nullable(),
  profiles: z.array(Profile),
  error: z.string().nullable(),
  created_at: z.string(),
  completed_at: z.string().nullable(),
});

/** Counts of a job, by what became of each entity. */
export const ProfileJobCounts = z.object({
  id: z.string(),
  operation: z.string(),
  entity_type: ProfileEntity,
  status: z.enum(profileStatuses),
  total: z.int(),
  /** The entities of a job are known when it is made. */
  enumeration_complete: z.literal(true),
  completed: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  skipped: z.int(),
});
