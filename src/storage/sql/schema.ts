import type { Generated } from 'kysely';
import type { Change } from '../../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { EventStatus, EventType } from '../../contract/schemas/event.ts';
import type { Role } from '../../contract/schemas/member.ts';
import type { Granularity, MemoryType } from '../../contract/schemas/memory.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import type {
  Account,
  DocumentKind,
  Job,
  StoredDelivery,
  StoredExport,
  StoredFeedback,
  StoredKey,
  StoredOrganization,
  StoredWebhook,
} from '../../core/ports/index.ts';

/**
 * The tables as rows. Times are ISO 8601 text, flags 0 or 1, and columns of type {@link JsonText}
 * hold JSON text. All that belongs to a tenant is keyed by `project_key`.
 */
export type DatabaseSchema = {
  meta: { key: string; value: string };
  accounts: AccountRow;
  organizations: OrganizationRow;
  projects: ProjectRow;
  members: MemberRow;
  keys: ApiKeyRow;
  entities: EntityRow;
  entity_totals: { project_key: number; type: EntityType; entities: number; memories: number };
  memories: MemoryRow;
  history: HistoryRow;
  feedback: FeedbackRow;
  relations: RelationRow;
  events: EventRow;
  jobs: JobRow;
  job_parts: JobStepRow;
  webhooks: WebhookRow;
  deliveries: DeliveryRow;
  exports: ExportRow;
  documents: DocumentRow;
  answers: IdempotencyKeyRow;
  languages: { project_key: number; language: string };
  spaces: EmbeddingModelRow;
  vectors_wanted: { space_key: number; position: number };
};

export type JsonText = string;

export type AccountRow = Omit<Account, 'number'> & { number: Generated<number> };

export type OrganizationRow = Omit<StoredOrganization, 'number'> & { number: Generated<number> };

export type ProjectRow = {
  key: Generated<number>;
  org_id: string;
  project_id: string;
  name: string;
  description: string;
  settings: JsonText;
  total_memories: number;
  created_at: string;
  updated_at: string;
};

/** A place in an organization where `project_key` is null, else in that project of it. */
export type MemberRow = {
  position: Generated<number>;
  org_id: string;
  project_key: number | null;
  account_id: string;
  role: Role;
  created_at: string;
};

export type ApiKeyRow = Omit<StoredKey, 'read_only'> & {
  position: Generated<number>;
  read_only: number;
};

export type EntityRow = {
  key: Generated<number>;
  project_key: number;
  type: EntityType;
  id: string;
  name: string;
  metadata: JsonText;
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
  metadata: JsonText;
  categories: JsonText;
  immutable: number;
  expiration_date: string | null;
  created_at: string;
  updated_at: string;
  replaced_by: string | null;
  role: string | null;
  speaker: string | null;
  type: MemoryType | null;
  slot: string | null;
  occurred_at: string | null;
  occurred_granularity: Granularity | null;
  said: string | null;
  terms: string;
  speaker_terms: string;
  place: number | null;
};

export type HistoryRow = EntityIds & {
  position: Generated<number>;
  project_key: number;
  id: string;
  memory_id: string;
  event: Change;
  input: JsonText;
  old_memory: string | null;
  new_memory: string | null;
  metadata: JsonText | null;
  categories: JsonText;
  created_at: string;
  updated_at: string;
};

export type FeedbackRow = StoredFeedback & { project_key: number };

/** `number` is its place among those of its memory, from 0. */
export type RelationRow = Relation & { project_key: number; number: number };

export type EventRow = EntityIds & {
  position: Generated<number>;
  project_key: number;
  id: string;
  event_type: EventType;
  status: EventStatus;
  payload: JsonText;
  metadata: JsonText | null;
  results: JsonText;
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
  deferrals: number;
};

export type JobStepRow = {
  job_id: string;
  number: number;
  decisions: JsonText;
  results: JsonText | null;
};

export type WebhookRow = Omit<StoredWebhook, 'event_types' | 'is_active'> & {
  position: Generated<number>;
  project_key: number;
  event_types: JsonText;
  is_active: number;
};

/**
 * `due_at` is when a claim may take the delivery: its next attempt, or the end of its lease. It is
 * null while nobody may: settled, behind an older one of its webhook and memory, or switched off.
 */
export type DeliveryRow = StoredDelivery & {
  position: Generated<number>;
  project_key: number;
  due_at: string | null;
  lease_owner: string | null;
  lease_until: string | null;
};

export type ExportRow = Omit<StoredExport, 'schema' | 'filters' | 'data'> & {
  position: Generated<number>;
  project_key: number;
  schema: JsonText;
  filters: JsonText | null;
  data: JsonText;
};

export type DocumentRow = {
  project_key: number;
  kind: DocumentKind;
  id: string;
  value: JsonText;
  updated_at: string;
};

export type IdempotencyKeyRow = {
  id: string;
  request: string;
  status: number | null;
  headers: JsonText;
  body: string;
  created_at: string;
};

/** An embedding model. All memories up to the position `done_to` have passed it. */
export type EmbeddingModelRow = {
  key: Generated<number>;
  name: string;
  dimension: number;
  unrelated: number;
  related: number;
  trust: number;
  complete: number;
  done_to: number;
  used_at: string;
  lease_owner: string | null;
  lease_until: string | null;
};
