import type { Generated } from 'kysely';
import type { Change } from '../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../contract/schemas/entity.ts';
import type { EventStatus, EventType } from '../contract/schemas/event.ts';
import type { Job, StoredFeedback } from '../core/ports.ts';

/**
 * The tables as rows. Times are ISO 8601 text, flags 0 or 1, and columns of type {@link Json} hold
 * JSON text. All that belongs to a tenant is keyed by `project_key`.
 */
export type Schema = {
  meta: { key: string; value: string };
  organizations: { org_id: string; name: string; created_at: string };
  projects: ProjectRow;
  entities: EntityRow;
  memories: MemoryRow;
  history: HistoryRow;
  feedback: FeedbackRow;
  events: EventRow;
  jobs: JobRow;
};

export type Json = string;

export type ProjectRow = {
  key: Generated<number>;
  org_id: string;
  project_id: string;
  name: string;
  total_memories: number;
  created_at: string;
};

export type EntityRow = {
  key: Generated<number>;
  project_key: number;
  type: EntityType;
  id: string;
  name: string;
  metadata: Json;
  total_memories: number;
  created_at: string;
  updated_at: string;
};

export type MemoryRow = EntityIds & {
  position: Generated<number>;
  project_key: number;
  id: string;
  memory: string;
  hash: string;
  metadata: Json;
  categories: Json;
  immutable: number;
  expiration_date: string | null;
  created_at: string;
  updated_at: string;
  replaced_by: string | null;
  role: string | null;
  speaker: string | null;
  terms: string;
  speaker_terms: string;
};

export type HistoryRow = EntityIds & {
  position: Generated<number>;
  project_key: number;
  id: string;
  memory_id: string;
  event: Change;
  input: Json;
  old_memory: string | null;
  new_memory: string | null;
  metadata: Json | null;
  categories: Json;
  created_at: string;
  updated_at: string;
};

export type FeedbackRow = StoredFeedback & { project_key: number };

export type EventRow = EntityIds & {
  position: Generated<number>;
  project_key: number;
  id: string;
  event_type: EventType;
  status: EventStatus;
  payload: Json;
  metadata: Json | null;
  results: Json;
  error: string | null;
  graph_status: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
  latency: number | null;
};

export type JobRow = {
  position: Generated<number>;
  project_key: number;
  id: string;
  kind: Job['kind'];
  subject_id: string;
  run_at: string;
  lease_owner: string | null;
  lease_until: string | null;
  attempts: number;
};
