import * as z from 'zod';

// The tables of the specification's section 2. More fields may stand beside them: what a client
// reads must be there, in the type that it is promised in.

const uuid = z.guid();
const time = z.iso.datetime({ offset: true });
const nullable = z.string().nullable();
const role = z.enum(['READER', 'OWNER']);

export const message = z.looseObject({ message: z.string().min(1) });

/** 2.1, as Get Memory answers it. */
export const memory = z.looseObject({
  id: uuid,
  memory: z.string(),
  user_id: nullable,
  agent_id: nullable,
  app_id: nullable,
  run_id: nullable,
  hash: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: time,
  updated_at: time,
});

/** 2.1, an item of the filtered list. */
export const listedMemory = z.looseObject({
  id: uuid,
  memory: z.string(),
  created_at: time,
  updated_at: time,
  metadata: z.record(z.string(), z.unknown()),
  immutable: z.boolean(),
  expiration_date: z.iso.date().nullable(),
});

/** 2.2 */
export const writeResult = z.looseObject({
  id: z.string(),
  event: z.enum(['ADD', 'UPDATE', 'DELETE']),
  data: z.looseObject({ memory: z.string() }),
});

/** 2.3 */
export const historyEntry = z.looseObject({
  id: uuid,
  memory_id: uuid,
  input: z.array(z.looseObject({ role: z.string(), content: z.string() })),
  old_memory: nullable,
  new_memory: nullable,
  user_id: z.string(),
  event: z.enum(['ADD', 'UPDATE', 'DELETE']),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  created_at: time,
  updated_at: time,
});

/** 2.4 */
export const feedback = z.looseObject({
  id: uuid,
  feedback: z.enum(['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE']),
  feedback_reason: z.string(),
});

/** 2.6 */
export const organization = z.looseObject({
  id: z.int(),
  org_id: uuid,
  name: z.string(),
  description: z.string(),
  address: z.string(),
  contact_email: z.string(),
  phone_number: z.string(),
  website: z.string(),
  on_paid_plan: z.boolean(),
  created_at: time,
  updated_at: time,
  owner: z.int(),
  members: z.array(z.int()),
});

export const organizationMembers = z.strictObject({
  members: z.array(z.strictObject({ user_id: z.string(), role })).min(1),
});

/** 2.7 */
export const project = z.looseObject({
  id: z.int(),
  project_id: uuid,
  name: z.string(),
  description: z.string(),
  created_at: time,
  updated_at: time,
  members: z.array(z.strictObject({ username: z.string(), role })),
});

export const projectMembers = z.strictObject({
  members: z.array(z.strictObject({ username: z.string(), role })).min(1),
});

/** 2.9 */
export const entity = z.looseObject({
  id: z.string(),
  name: z.string(),
  created_at: time,
  updated_at: time,
  total_memories: z.int(),
  owner: z.string(),
  organization: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  type: z.enum(['user', 'agent', 'app', 'run']),
});

/** 2.10 */
export const event = z.looseObject({
  id: uuid,
  event_type: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED']),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  results: z.array(z.unknown()),
  created_at: time,
  updated_at: time,
  // Null while it is not known.
  started_at: time.nullable(),
  completed_at: time.nullable(),
  latency: z.number().nullable(),
});

export const events = z.looseObject({
  count: z.int().min(1),
  next: z.url().nullable(),
  previous: z.url().nullable(),
  results: z.array(event).min(1),
});

/** 2.11 */
export const webhook = z.looseObject({
  webhook_id: uuid,
  name: z.string(),
  url: z.url(),
  event_types: z.array(
    z.enum(['memory:add', 'memory:update', 'memory:delete', 'memory:categorize']),
  ),
  is_active: z.boolean(),
  project: z.string(),
  created_at: time,
  updated_at: time,
});

/** Not empty: an empty list would prove nothing of its items. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).min(1);
}
