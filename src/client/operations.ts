// Generated from the contract by `npm run generate`.

import type { Paged, RequestOptions } from './paged.ts';

/** A rating of one memory; a second rating replaces the first, null withdraws it. */
export interface Feedback {
  id: string;
  memory_id: string;
  feedback: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null;
  feedback_reason: string | null;
}

/** The record of one change. It outlives the memory: its DELETE is the last entry. */
export interface HistoryEntry {
  id: string;
  memory_id: string;
  input: Message[];
  old_memory: string | null;
  new_memory: string | null;
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
  run_id: string | null;
  event: 'ADD' | 'UPDATE' | 'DELETE';
  metadata: Record<string, unknown> | null;
  categories: string[];
  created_at: string;
  updated_at: string;
}

/**
 * What a write did, one a memory. NOOP says that nothing was stored and why, so that no fact
 * is dropped in silence; its `id` is the memory that already holds the text, or null.
 */
export interface WriteResult {
  id: string | null;
  event: 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP';
  memory: string;
  data: {
    memory: string;
  };
  user_id: string | null;
  reason?: string | undefined;
}

/** Someone or something that memories belong to. `total_memories` is live. */
export interface Entity {
  id: string;
  name: string;
  type: 'user' | 'agent' | 'app' | 'run';
  total_memories: number;
  owner: string;
  organization: string;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/** Optional entity ids at the top level of an input. */
export interface EntityScope {
  /** User */
  user_id?: string | undefined;
  /** Agent */
  agent_id?: string | undefined;
  /** App */
  app_id?: string | undefined;
  /** Session */
  run_id?: string | undefined;
}

/** Optional organization and project of a request; the caller's own when absent. */
export interface ProjectScope {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id?: string | undefined;
}

/**
 * The processing record of a write. `started_at`, `completed_at` and `latency` (milliseconds
 * from start to end) are null until they are known; `error` says why a FAILED one failed.
 */
export interface Event {
  id: string;
  event_type:
    | 'ADD'
    | 'SEARCH'
    | 'UPDATE'
    | 'DELETE'
    | 'GET_ALL'
    | 'DELETE_ALL'
    | 'DELETE_ENTITY'
    | 'EXPORT';
  status: 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED';
  payload: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  results: WriteResult[];
  error: string | null;
  graph_status: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
  latency: number | null;
}

/**
 * Someone with a place in an organization or a project. `id` is the account's number;
 * `user_id` and `username` name the same account in the shapes of the two member lists.
 */
export interface Member {
  id: number;
  user_id: string;
  username: string;
  email: string;
  role: 'READER' | 'OWNER';
}

/** A stored text fact. Times are ISO 8601 in UTC; `session_id` repeats `run_id`. */
export interface Memory {
  id: string;
  memory: string;
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
  run_id: string | null;
  session_id: string | null;
  /** MD5 of the normalised text; for client compatibility, not security. */
  hash: string;
  metadata: Record<string, unknown>;
  categories: string[];
  immutable: boolean;
  expiration_date: string | null;
  created_at: string;
  updated_at: string;
  /** The memory that this one was merged into, which hides it from search and list. */
  replaced_by: string | null;
  /** What kind of thing it tells; null where nobody has looked. */
  type: 'fact' | 'preference' | 'instruction' | 'plan' | 'event' | 'relation' | null;
  /** What it tells of whom, like `user:lives_in`: a newer statement of it updates this memory. */
  slot: string | null;
  /** The first instant of when what it tells of happens, and how exact that is. */
  occurred_at: string | null;
  occurred_granularity: 'minute' | 'day' | 'week' | 'month' | 'season' | 'year' | null;
  structured_attributes: {
    year: number;
    month: number;
    day: number;
    hour: number;
    minute: number;
    day_of_week: string;
    is_weekend: boolean;
    quarter: number;
    week_of_year: number;
  };
}

/** A memory reduced to the `fields` that were asked for; `id` always stays. */
export interface PartialMemory {
  id: string;
  memory?: string | undefined;
  user_id?: string | null | undefined;
  agent_id?: string | null | undefined;
  app_id?: string | null | undefined;
  run_id?: string | null | undefined;
  session_id?: string | null | undefined;
  /** MD5 of the normalised text; for client compatibility, not security. */
  hash?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  categories?: string[] | undefined;
  immutable?: boolean | undefined;
  expiration_date?: string | null | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
  /** The memory that this one was merged into, which hides it from search and list. */
  replaced_by?: string | null | undefined;
  /** What kind of thing it tells; null where nobody has looked. */
  type?: 'fact' | 'preference' | 'instruction' | 'plan' | 'event' | 'relation' | null | undefined;
  /** What it tells of whom, like `user:lives_in`: a newer statement of it updates this memory. */
  slot?: string | null | undefined;
  /** The first instant of when what it tells of happens, and how exact that is. */
  occurred_at?: string | null | undefined;
  occurred_granularity?: 'minute' | 'day' | 'week' | 'month' | 'season' | 'year' | null | undefined;
  structured_attributes?:
    | {
        year: number;
        month: number;
        day: number;
        hour: number;
        minute: number;
        day_of_week: string;
        is_weekend: boolean;
        quarter: number;
        week_of_year: number;
      }
    | undefined;
}

/** What the score is made of; the parts add up to it. */
export interface ScoreBreakdown {
  /** When it was said, or happens. */
  semantic: number;
  /** When it was said, or happens. */
  keyword: number;
  /** When it was said, or happens. */
  entity: number;
  /** When it was said, or happens. */
  temporal: number;
}

/** A hit of a search, with how well it answers the query. */
export interface ScoredMemory extends PartialMemory {
  /** When it was said, or happens. */
  score: number;
  score_breakdown?: ScoreBreakdown | undefined;
}

/** The message that the text of a memory came from. */
export interface Source {
  role: string;
  /** Whoever said it, where the message names them. */
  name: string | null;
  /** Its text; of a long one the part that the memory came from, between ellipses. */
  content: string;
  /** The session in which it was said. */
  run_id: string | null;
  /** When it was said. */
  created_at: string;
}

/** A memory by itself, with where it comes from; null where that is not kept. */
export interface SourcedMemory extends Memory {
  source: Source | null;
}

/**
 * One turn of a conversation. `name` is the speaker where several share a role. Multimodal
 * content arrives as one part or an array of parts: text parts are joined, the others are
 * counted in `skipped_parts`, so that the event can say what was left out.
 */
export interface Message {
  /** user or assistant */
  role: string;
  /** Text */
  content: string;
  /** Speaker */
  name?: string | undefined;
}

/** A tenant: projects and members. `owner` is the number of the account that made it. */
export interface Organization {
  id: number;
  org_id: string;
  name: string;
  description: string;
  address: string;
  contact_email: string;
  phone_number: string;
  website: string;
  on_paid_plan: boolean;
  owner: number;
  members: Member[];
  is_default: boolean;
  is_owner: boolean;
  user_role: 'READER' | 'OWNER';
  created_at: string;
  updated_at: string;
}

/** What is known of one entity. */
export interface Profile {
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  entity_id: string;
  status: 'succeeded' | 'pending' | 'failed' | 'not_enabled' | 'insufficient_data';
  /** By topic, or in the shape of the settings' schema; empty unless it succeeded. */
  profile: Record<string, unknown>;
  memory_count: number;
  generated_at: string | null;
  /** The same as `generated_at`: clients look for either. */
  updated_at: string | null;
  generation_count: number;
  error: string | null;
}

/** The making of profiles, and what came of it so far. */
export interface ProfileJob {
  id: string;
  job_id: string;
  /** Path under which `get_profile_job` answers it. */
  status_url: string;
  operation: string;
  status: 'succeeded' | 'pending' | 'failed' | 'not_enabled' | 'insufficient_data';
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  entity_id: string | null;
  entity_ids: string[];
  entity_count_reserved: number;
  /** How many entities a sample picked. */
  sampled?: number | undefined;
  event_id: string | null;
  profiles: Profile[];
  error: string | null;
  created_at: string;
  completed_at: string | null;
}

/** Counts of a job, by what became of each entity. */
export interface ProfileJobCounts {
  id: string;
  operation: string;
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  status: 'succeeded' | 'pending' | 'failed' | 'not_enabled' | 'insufficient_data';
  total: number;
  /** The entities of a job are known when it is made. */
  enumeration_complete: true;
  completed: number;
  succeeded: number;
  failed: number;
  skipped: number;
}

/** Whether profiles are made, and in which shape those of each kind of entity. */
export interface ProfileSettings {
  enabled: boolean;
  entities: Partial<Record<'user' | 'agent' | 'app' | 'run', ProfileShape>>;
}

/** What a profile of one kind of entity holds: a JSON Schema to fill, and how. */
export interface ProfileShape {
  schema?: Record<string, unknown> | null | undefined;
  custom_instructions?: string | null | undefined;
}

/** A project reduced to the `fields` that were asked for; its ids always stay. */
export interface PartialProject {
  /** How to handle what is said */
  custom_instructions?: string | null | undefined;
  /** The same, for what an agent says */
  agent_custom_instructions?: string | null | undefined;
  /** Category names with descriptions */
  custom_categories?: Array<Record<string, string>> | null | undefined;
  /** Criteria for ranking */
  retrieval_criteria?: Array<Record<string, unknown>> | null | undefined;
  /** What to remember */
  inclusion_prompt?: string | null | undefined;
  /** What not to remember */
  exclusion_prompt?: string | null | undefined;
  /** Extract entities and relations */
  enable_graph?: boolean | undefined;
  /** Keep the language of the source */
  multilingual?: boolean | undefined;
  /** Let unused memories fade */
  decay?: boolean | undefined;
  id: number;
  project_id: string;
  org_id?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  members?: Member[] | undefined;
  is_default?: boolean | undefined;
  user_role?: 'READER' | 'OWNER' | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
}

/** The border within which memories are kept apart. */
export interface Project extends ProjectSettings {
  id: number;
  project_id: string;
  org_id: string;
  name: string;
  description: string;
  members: Member[];
  is_default: boolean;
  user_role: 'READER' | 'OWNER';
  created_at: string;
  updated_at: string;
}

/** All settings of a project. */
export interface ProjectSettings {
  /** How to handle what is said */
  custom_instructions: string | null;
  /** The same, for what an agent says */
  agent_custom_instructions: string | null;
  /** Category names with descriptions */
  custom_categories: Array<Record<string, string>> | null;
  /** Criteria for ranking */
  retrieval_criteria: Array<Record<string, unknown>> | null;
  /** What to remember */
  inclusion_prompt: string | null;
  /** What not to remember */
  exclusion_prompt: string | null;
  /** Extract entities and relations */
  enable_graph: boolean;
  /** Keep the language of the source */
  multilingual: boolean;
  /** Let unused memories fade */
  decay: boolean;
}

/** An edge of the knowledge graph: how two entities belong together, and which memory says so. */
export interface Relation {
  source: string;
  source_type: string;
  relationship: string;
  target: string;
  target_type: string;
  memory_id: string;
}

/** One notification to one webhook, with what its latest attempt met. */
export interface Delivery {
  id: string;
  webhook_id: string;
  event_type: string;
  memory_id: string | null;
  status: 'PENDING' | 'DELIVERED' | 'DEAD';
  attempts: number;
  response_status: number | null;
  error: string | null;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
}

/** `secret` is answered once: when the webhook is made and when it is rotated. */
export interface Webhook {
  webhook_id: string;
  name: string;
  url: string;
  event_types: string[];
  is_active: boolean;
  project: string;
  /** Why the service switched it off, null while it did not. */
  disabled_reason: string | null;
  secret?: string | undefined;
  created_at: string;
  updated_at: string;
}

export interface AddMemoryOutput {
  message: string;
  status: 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED';
  event_id: string;
  results: WriteResult[];
  relations?: Relation[] | undefined;
}

export interface AddMemoryInput extends EntityScope, ProjectScope {
  /** One fact, stored verbatim */
  text?: string | undefined;
  /** Turns to extract facts from */
  messages?: Message[] | undefined;
  /** Custom data */
  metadata?: Record<string, unknown> | undefined;
  /** true: extract facts; false: store as is */
  infer?: boolean | undefined;
  /** Answer at once with a PENDING event. Default true */
  async_mode?: boolean | undefined;
  /** Refuse later updates. Default false */
  immutable?: boolean | undefined;
  /** YYYY-MM-DD */
  expiration_date?: string | null | undefined;
  /** Unix seconds; backdates */
  timestamp?: number | undefined;
  /** What to remember */
  includes?: string | undefined;
  /** What not to remember */
  excludes?: string | undefined;
  /** Category names with descriptions */
  custom_categories?: Record<string, string> | undefined;
  /** How to handle what is said */
  custom_instructions?: string | undefined;
  /** Also extract entities and relations. Default false */
  enable_graph?: boolean | undefined;
  /** v1.1 wraps results in an object */
  output_format?: string | undefined;
  /** Memory version */
  version?: string | undefined;
}

export interface SearchMemoriesOutput {
  results: ScoredMemory[];
  relations?: Relation[] | undefined;
  warning?: string | undefined;
}

export interface SearchMemoriesInput extends EntityScope, ProjectScope {
  /** Question or keywords */
  query: string;
  /**
   * Conditions by field, ANDed; AND, OR, NOT take arrays. Fields: user_id, agent_id, app_id,
   * run_id, id, created_at, updated_at, expiration_date, occurred_at, type, categories,
   * keywords, text, immutable, metadata.<key>. Values: equal, a list, or {eq, ne, in, nin, gt,
   * gte, lt, lte, contains, icontains}; "*" is any. Like {"created_at": {"gte": "2026-01-31"}}
   */
  filters?: Record<string, unknown> | undefined;
  /** Any of these categories */
  categories?: string[] | undefined;
  /** Metadata values to match */
  metadata?: Record<string, unknown> | undefined;
  /** Words in the text */
  keywords?: string | undefined;
  /** Created on or after */
  start_date?: string | undefined;
  /** Created on or before */
  end_date?: string | undefined;
  /** Hide merged memories. Default true */
  latest_only?: boolean | undefined;
  /** Include expired ones. Default false */
  show_expired?: boolean | undefined;
  /** Fields to return */
  fields?: string[] | undefined;
  /** Most results, default 10 */
  top_k?: number | undefined;
  /** Least score, default 0.3 */
  threshold?: number | undefined;
  /** Second-stage scoring. Default false */
  rerank?: boolean | undefined;
  /** Words only. Default false */
  keyword_search?: boolean | undefined;
  /** Drop weak results. Default false */
  filter_memories?: boolean | undefined;
  /** Date that "today" means */
  reference_date?: string | undefined;
  /** Also answer relations. Default false */
  enable_graph?: boolean | undefined;
  /** Memory version */
  version?: string | undefined;
  /** v1.1 wraps results in an object */
  output_format?: string | undefined;
}

export interface GetMemoriesOutput {
  results: PartialMemory[];
  total: number;
  page: number;
  page_size: number;
  relations?: Relation[] | undefined;
}

export interface GetMemoriesInput extends EntityScope, ProjectScope {
  /** As in search_memories */
  filters?: Record<string, unknown> | undefined;
  /** Any of these categories */
  categories?: string[] | undefined;
  /** Metadata values to match */
  metadata?: Record<string, unknown> | undefined;
  /** Words in the text */
  keywords?: string | undefined;
  /** Created on or after */
  start_date?: string | undefined;
  /** Created on or before */
  end_date?: string | undefined;
  /** Hide merged memories. Default true */
  latest_only?: boolean | undefined;
  /** Include expired ones. Default false */
  show_expired?: boolean | undefined;
  /** Fields to return */
  fields?: string[] | undefined;
  /** From 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
  /** Also answer relations. Default false */
  enable_graph?: boolean | undefined;
  /** v1.1 includes relations */
  output_format?: string | undefined;
}

export interface GetMemoryInput extends ProjectScope {
  /** Memory id */
  memory_id: string;
}

export interface UpdateMemoryOutput extends Memory {
  text: string;
}

export interface UpdateMemoryInput extends ProjectScope {
  /** Memory id */
  memory_id: string;
  /** New text */
  text?: string | undefined;
  /** Replaces metadata */
  metadata?: Record<string, unknown> | undefined;
  /** Unix seconds; new created_at */
  timestamp?: number | undefined;
  /** YYYY-MM-DD; null clears */
  expiration_date?: string | null | undefined;
}

export interface DeleteMemoryOutput {
  message: string;
  deleted: number;
}

export interface DeleteMemoryInput extends ProjectScope {
  /** Memory id */
  memory_id: string;
  /** Also delete memories merged into it. Default false */
  delete_linked?: boolean | undefined;
}

export interface DeleteAllMemoriesOutput {
  message: string;
  deleted: number;
  event_id: string;
}

export interface DeleteAllMemoriesInput extends EntityScope, ProjectScope {
  /** Metadata values to match */
  metadata?: Record<string, unknown> | undefined;
  /** As in search_memories */
  filters?: Record<string, unknown> | undefined;
}

export interface BatchUpdateMemoriesOutput {
  message: string;
}

export interface BatchUpdateMemoriesInput extends ProjectScope {
  /** Updates */
  memories: Array<{
    /** Memory id */
    memory_id: string;
    /** New text */
    text?: string | undefined;
    /** Replaces metadata */
    metadata?: Record<string, unknown> | undefined;
  }>;
}

export interface BatchDeleteMemoriesOutput {
  message: string;
  deleted: number;
}

export interface BatchDeleteMemoriesInput extends ProjectScope {
  /** Memories */
  memory_ids: string[];
}

export interface GetHistoryOutput {
  results: HistoryEntry[];
}

export interface GetHistoryInput extends ProjectScope {
  /** Memory id */
  memory_id: string;
}

export interface ResolveIdsOutput {
  results: Array<{
    short_id: string;
    memory_ids: string[];
    total: number;
  }>;
}

export interface ResolveIdsInput extends EntityScope, ProjectScope {
  /** Last 8 digits of ids */
  short_ids: string[];
}

export interface AddFeedbackInput extends ProjectScope {
  /** Memory id */
  memory_id: string;
  /** Rating */
  feedback?: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null | undefined;
  /** Why */
  feedback_reason?: string | null | undefined;
}

export interface CreateExportOutput {
  message: string;
  id: string;
}

export interface CreateExportInput extends EntityScope, ProjectScope {
  /** JSON Schema of the result */
  schema: Record<string, unknown>;
  /** AND/OR/NOT tree of conditions */
  filters?: Record<string, unknown> | undefined;
  /** How to fill it */
  export_instructions?: string | undefined;
}

export interface GetExportOutput {
  id: string;
  status: 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED';
  message: string;
  data: unknown;
}

export interface GetExportInput extends EntityScope, ProjectScope {
  /** Export */
  memory_export_id?: string | undefined;
  /** AND/OR/NOT tree of conditions */
  filters?: Record<string, unknown> | undefined;
}

export interface ListEntitiesOutput {
  results: Entity[];
  total: number;
  page: number;
  page_size: number;
  total_users: number;
  total_agents: number;
  total_apps: number;
  total_runs: number;
}

export interface ListEntitiesInput extends ProjectScope {
  /** Kind */
  entity_type?: 'user' | 'agent' | 'app' | 'run' | undefined;
  /** From 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface DeleteEntityOutput {
  message: string;
  deleted: number;
  event_id: string;
}

export interface DeleteEntityInput extends ProjectScope {
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  /** Its id */
  entity_id: string;
}

export interface ListEventsOutput {
  results: Event[];
  total: number;
  page: number;
  page_size: number;
}

export interface ListEventsInput extends ProjectScope {
  /** Kind */
  event_type?:
    | 'ADD'
    | 'SEARCH'
    | 'UPDATE'
    | 'DELETE'
    | 'GET_ALL'
    | 'DELETE_ALL'
    | 'DELETE_ENTITY'
    | 'EXPORT'
    | undefined;
  /** State */
  status?: 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED' | undefined;
  /** From 1. Default 1 */
  page?: number | undefined;
  /** Default 50 */
  page_size?: number | undefined;
}

export interface GetEventInput extends ProjectScope {
  /** Event id */
  event_id: string;
}

export interface CreateWebhookInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id?: string | undefined;
  /** Endpoint */
  url: string;
  /** Name */
  name?: string | undefined;
  /** Subscribed */
  event_types?: string[] | undefined;
  /** Deliver. Default true */
  is_active?: boolean | undefined;
}

export interface ListWebhooksOutput {
  results: Webhook[];
}

export interface ListWebhooksInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id?: string | undefined;
}

export interface GetWebhookInput {
  /** Webhook */
  webhook_id: string;
}

export interface UpdateWebhookOutput {
  message: string;
}

export interface UpdateWebhookInput {
  /** Webhook */
  webhook_id: string;
  /** Endpoint */
  url?: string | undefined;
  /** Name */
  name?: string | undefined;
  /** Subscribed */
  event_types?: string[] | undefined;
  /** Deliver */
  is_active?: boolean | undefined;
}

export interface DeleteWebhookOutput {
  message: string;
}

export interface DeleteWebhookInput {
  /** Webhook */
  webhook_id: string;
}

export interface RotateWebhookSecretInput {
  /** Webhook */
  webhook_id: string;
}

export interface TestWebhookInput {
  /** Webhook */
  webhook_id: string;
}

export interface ListWebhookDeliveriesOutput {
  results: Delivery[];
  total: number;
  page: number;
  page_size: number;
}

export interface ListWebhookDeliveriesInput {
  /** Webhook */
  webhook_id: string;
  /** From 1. Default 1 */
  page?: number | undefined;
  /** Default 50 */
  page_size?: number | undefined;
}

export interface CreateOrganizationOutput {
  message: string;
  org_id: string;
}

export interface CreateOrganizationInput {
  /** Name */
  name: string;
  /** About it */
  description?: string | undefined;
  /** Address */
  address?: string | undefined;
  /** Contact */
  contact_email?: string | undefined;
  /** Phone */
  phone_number?: string | undefined;
  /** Website */
  website?: string | undefined;
}

export interface ListOrganizationsOutput {
  results: Organization[];
}

export type ListOrganizationsInput = Record<string, never>;

export interface GetOrganizationInput {
  /** Organization */
  org_id: string;
}

export interface DeleteOrganizationOutput {
  message: string;
}

export interface DeleteOrganizationInput {
  /** Organization */
  org_id: string;
}

export interface ListOrganizationMembersOutput {
  members: Member[];
}

export interface ListOrganizationMembersInput {
  /** Organization */
  org_id: string;
}

export interface AddOrganizationMemberOutput {
  message: string;
}

export interface AddOrganizationMemberInput {
  /** Organization */
  org_id: string;
  /** E-mail */
  email: string;
  /** READER or OWNER */
  role: 'READER' | 'OWNER';
}

export interface UpdateOrganizationMemberOutput {
  message: string;
}

export interface UpdateOrganizationMemberInput {
  /** Organization */
  org_id: string;
  /** E-mail */
  email: string;
  /** READER or OWNER */
  role: 'READER' | 'OWNER';
}

export interface RemoveOrganizationMemberOutput {
  message: string;
}

export interface RemoveOrganizationMemberInput {
  /** Organization */
  org_id: string;
  /** E-mail */
  email: string;
}

export interface CreateProjectOutput {
  message: string;
  project_id: string;
}

export interface CreateProjectInput {
  /** Organization */
  org_id: string;
  /** Name */
  name: string;
  /** About it */
  description?: string | undefined;
}

export interface ListProjectsOutput {
  results: Project[];
}

export interface ListProjectsInput {
  /** Organization */
  org_id: string;
}

export interface GetProjectInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
  /** Fields to return */
  fields?: string[] | undefined;
}

export interface UpdateProjectOutput {
  message: string;
}

export interface UpdateProjectInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
  /** Name */
  name?: string | undefined;
  description?: string | undefined;
  /** How to handle what is said */
  custom_instructions?: string | null | undefined;
  /** The same, for what an agent says */
  agent_custom_instructions?: string | null | undefined;
  /** Category names with descriptions */
  custom_categories?: Array<Record<string, string>> | null | undefined;
  /** Criteria for ranking */
  retrieval_criteria?: Array<Record<string, unknown>> | null | undefined;
  /** What to remember */
  inclusion_prompt?: string | null | undefined;
  /** What not to remember */
  exclusion_prompt?: string | null | undefined;
  /** Extract entities and relations */
  enable_graph?: boolean | undefined;
  /** Keep the language of the source */
  multilingual?: boolean | undefined;
  /** Let unused memories fade */
  decay?: boolean | undefined;
}

export interface DeleteProjectOutput {
  message: string;
}

export interface DeleteProjectInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
}

export interface ListProjectMembersOutput {
  members: Member[];
}

export interface ListProjectMembersInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
}

export interface AddProjectMemberOutput {
  message: string;
}

export interface AddProjectMemberInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
  /** E-mail */
  email: string;
  /** READER or OWNER */
  role: 'READER' | 'OWNER';
}

export interface UpdateProjectMemberOutput {
  message: string;
}

export interface UpdateProjectMemberInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
  /** E-mail */
  email: string;
  /** READER or OWNER */
  role: 'READER' | 'OWNER';
}

export interface RemoveProjectMemberOutput {
  message: string;
}

export interface RemoveProjectMemberInput {
  /** Organization */
  org_id?: string | undefined;
  /** Project */
  project_id: string;
  /** E-mail */
  email: string;
}

export interface PingOutput {
  status: 'ok';
  org_id: string;
  project_id: string;
  user_email: string;
}

export type PingInput = ProjectScope;

export interface GetStatsOutput {
  total_memories: number;
  total_add_events: number;
  total_retrieval_events: number;
  total_users_with_memories: number;
  memories_per_user: number;
}

export type GetStatsInput = ProjectScope;

export interface GetSummaryOutput {
  summary: string;
  memory_count: number;
  generated_at: string;
}

export interface GetSummaryInput extends EntityScope, ProjectScope {
  filters?: Record<string, unknown> | undefined;
}

export interface GetProfileInput extends ProjectScope {
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  /** Its id */
  entity_id: string;
}

export type GetProfileSettingsInput = ProjectScope;

export interface UpdateProfileSettingsInput extends ProjectScope {
  /** Make profiles */
  enabled?: boolean | undefined;
  /** Shape of each kind */
  entities?: Partial<Record<'user' | 'agent' | 'app' | 'run', ProfileShape>> | undefined;
}

export interface CreateProfileJobInput extends ProjectScope {
  /** What to make. Default "trigger" */
  operation?: 'trigger' | 'sample' | undefined;
  /** Kind. Default "user" */
  entity_type?: 'user' | 'agent' | 'app' | 'run' | undefined;
  /** Its id */
  entity_id?: string | undefined;
  /** Most entities of a sample. Default 3 */
  limit?: number | undefined;
}

export interface GetProfileJobOutput extends ProfileJob {
  job: ProfileJobCounts;
}

export interface GetProfileJobInput extends ProjectScope {
  /** Job */
  job_id: string;
}

/** A method for each operation. What is refused is thrown as an `ApiError`. */
export interface Operations {
  /**
   * Stores facts. Messages are turned into facts by the durable queue (an event tracks it); with
   * infer false, or given as text, they are stored verbatim at once.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  addMemory(input: AddMemoryInput, options?: RequestOptions): Promise<AddMemoryOutput>;

  /**
   * Finds memories that answer a question, best match first.
   *
   * @throws {ApiError} invalid, not_found
   */
  searchMemories(
    input: SearchMemoriesInput,
    options?: RequestOptions,
  ): Promise<SearchMemoriesOutput>;

  /**
   * Lists the memories that match a filter, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  getMemories(
    input?: GetMemoriesInput,
    options?: RequestOptions,
  ): Paged<GetMemoriesOutput, PartialMemory>;

  /**
   * Answers one memory by its id, expired or not, with the message it came from.
   *
   * @throws {ApiError} invalid, not_found
   */
  getMemory(input: GetMemoryInput, options?: RequestOptions): Promise<SourcedMemory>;

  /**
   * Replaces the text, the metadata or the expiry of a memory; its id stays.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  updateMemory(input: UpdateMemoryInput, options?: RequestOptions): Promise<UpdateMemoryOutput>;

  /**
   * Deletes one memory. Its history stays and ends with the DELETE.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  deleteMemory(input: DeleteMemoryInput, options?: RequestOptions): Promise<DeleteMemoryOutput>;

  /**
   * Deletes all memories that match; at least one condition is required.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  deleteAllMemories(
    input: DeleteAllMemoriesInput,
    options?: RequestOptions,
  ): Promise<DeleteAllMemoriesOutput>;

  /**
   * Updates up to 1,000 memories, all or none.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  batchUpdateMemories(
    input: BatchUpdateMemoriesInput,
    options?: RequestOptions,
  ): Promise<BatchUpdateMemoriesOutput>;

  /**
   * Deletes up to 1,000 memories by id, all or none.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  batchDeleteMemories(
    input: BatchDeleteMemoriesInput,
    options?: RequestOptions,
  ): Promise<BatchDeleteMemoriesOutput>;

  /**
   * Lists every change of a memory, oldest first, also after its delete.
   *
   * @throws {ApiError} invalid, not_found
   */
  getHistory(input: GetHistoryInput, options?: RequestOptions): Promise<GetHistoryOutput>;

  /**
   * Answers the full ids of the memories whose ids end in these digits: of more than two the
   * first and the last.
   *
   * @throws {ApiError} invalid, not_found
   */
  resolveIds(input: ResolveIdsInput, options?: RequestOptions): Promise<ResolveIdsOutput>;

  /**
   * Rates one memory. A second rating replaces the first; null withdraws it.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  addFeedback(input: AddFeedbackInput, options?: RequestOptions): Promise<Feedback>;

  /**
   * Fills a JSON Schema with what the selected memories say; a job does it. What nothing fills
   * is null, never invented.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createExport(input: CreateExportInput, options?: RequestOptions): Promise<CreateExportOutput>;

  /**
   * Answers the filled schema of an export by its id, else of the latest one for its filters.
   *
   * @throws {ApiError} invalid, not_found
   */
  getExport(input?: GetExportInput, options?: RequestOptions): Promise<GetExportOutput>;

  /**
   * Lists the users, agents, apps and runs that memories belong to, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listEntities(
    input?: ListEntitiesInput,
    options?: RequestOptions,
  ): Paged<ListEntitiesOutput, Entity>;

  /**
   * Deletes an entity and everything that carries its id: memories (shared ones too), their
   * history and feedback, what events hold of them, and exports that may tell of it.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  deleteEntity(input: DeleteEntityInput, options?: RequestOptions): Promise<DeleteEntityOutput>;

  /**
   * Lists the processing records of writes, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listEvents(input?: ListEventsInput, options?: RequestOptions): Paged<ListEventsOutput, Event>;

  /**
   * Answers the state and the results of one write.
   *
   * @throws {ApiError} invalid, not_found
   */
  getEvent(input: GetEventInput, options?: RequestOptions): Promise<Event>;

  /**
   * Subscribes an address to changes of a project; its secret is answered once.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createWebhook(input: CreateWebhookInput, options?: RequestOptions): Promise<Webhook>;

  /**
   * Lists the webhooks of a project.
   *
   * @throws {ApiError} invalid, not_found
   */
  listWebhooks(input?: ListWebhooksInput, options?: RequestOptions): Promise<ListWebhooksOutput>;

  /**
   * Answers one webhook, without its secret.
   *
   * @throws {ApiError} invalid, not_found
   */
  getWebhook(input: GetWebhookInput, options?: RequestOptions): Promise<Webhook>;

  /**
   * Changes what is sent; switching one on again clears why it was switched off.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateWebhook(input: UpdateWebhookInput, options?: RequestOptions): Promise<UpdateWebhookOutput>;

  /**
   * Ends a subscription; deliveries that wait are dropped.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  deleteWebhook(input: DeleteWebhookInput, options?: RequestOptions): Promise<DeleteWebhookOutput>;

  /**
   * Answers a new secret, once; the old one signs nothing any more.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: RequestOptions): Promise<Webhook>;

  /**
   * Sends one test delivery, signed like any other, and answers what it met.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  testWebhook(input: TestWebhookInput, options?: RequestOptions): Promise<Delivery>;

  /**
   * The delivery log, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listWebhookDeliveries(
    input: ListWebhookDeliveriesInput,
    options?: RequestOptions,
  ): Paged<ListWebhookDeliveriesOutput, Delivery>;

  /**
   * Makes an organization; its maker owns it.
   *
   * @throws {ApiError} invalid, forbidden
   */
  createOrganization(
    input: CreateOrganizationInput,
    options?: RequestOptions,
  ): Promise<CreateOrganizationOutput>;

  /**
   * Lists the organizations that the caller is a member of.
   *
   * @throws {ApiError} invalid
   */
  listOrganizations(
    input?: ListOrganizationsInput,
    options?: RequestOptions,
  ): Promise<ListOrganizationsOutput>;

  /**
   * Answers one organization with its members.
   *
   * @throws {ApiError} invalid, not_found
   */
  getOrganization(input: GetOrganizationInput, options?: RequestOptions): Promise<Organization>;

  /**
   * Deletes an organization for good, with its projects and all they hold.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  deleteOrganization(
    input: DeleteOrganizationInput,
    options?: RequestOptions,
  ): Promise<DeleteOrganizationOutput>;

  /**
   * Lists who belongs to an organization, and as what.
   *
   * @throws {ApiError} invalid, not_found
   */
  listOrganizationMembers(
    input: ListOrganizationMembersInput,
    options?: RequestOptions,
  ): Promise<ListOrganizationMembersOutput>;

  /**
   * Adds the account with this e-mail; an unknown one is invited.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  addOrganizationMember(
    input: AddOrganizationMemberInput,
    options?: RequestOptions,
  ): Promise<AddOrganizationMemberOutput>;

  /**
   * Changes a role; the last owner stays one.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  updateOrganizationMember(
    input: UpdateOrganizationMemberInput,
    options?: RequestOptions,
  ): Promise<UpdateOrganizationMemberOutput>;

  /**
   * Removes a member from the organization and its projects; the last owner stays.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  removeOrganizationMember(
    input: RemoveOrganizationMemberInput,
    options?: RequestOptions,
  ): Promise<RemoveOrganizationMemberOutput>;

  /**
   * Makes a project in an organization.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createProject(input: CreateProjectInput, options?: RequestOptions): Promise<CreateProjectOutput>;

  /**
   * Lists the projects of an organization that the caller may see.
   *
   * @throws {ApiError} invalid, not_found
   */
  listProjects(input: ListProjectsInput, options?: RequestOptions): Promise<ListProjectsOutput>;

  /**
   * Answers one project with its settings and members.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProject(input: GetProjectInput, options?: RequestOptions): Promise<PartialProject>;

  /**
   * Changes the settings that are sent and leaves the others.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateProject(input: UpdateProjectInput, options?: RequestOptions): Promise<UpdateProjectOutput>;

  /**
   * Deletes a project for good, with its memories and all else that it holds.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  deleteProject(input: DeleteProjectInput, options?: RequestOptions): Promise<DeleteProjectOutput>;

  /**
   * Lists who may use a project, and as what.
   *
   * @throws {ApiError} invalid, not_found
   */
  listProjectMembers(
    input: ListProjectMembersInput,
    options?: RequestOptions,
  ): Promise<ListProjectMembersOutput>;

  /**
   * Adds the account with this e-mail; an unknown one is invited.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  addProjectMember(
    input: AddProjectMemberInput,
    options?: RequestOptions,
  ): Promise<AddProjectMemberOutput>;

  /**
   * Changes what a member may do in this project.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateProjectMember(
    input: UpdateProjectMemberInput,
    options?: RequestOptions,
  ): Promise<UpdateProjectMemberOutput>;

  /**
   * Takes away a place in this project; one in its organization stays.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  removeProjectMember(
    input: RemoveProjectMemberInput,
    options?: RequestOptions,
  ): Promise<RemoveProjectMemberOutput>;

  /**
   * Answers whose key this is and where its requests go by default.
   *
   * @throws {ApiError} invalid, not_found
   */
  ping(input?: PingInput, options?: RequestOptions): Promise<PingOutput>;

  /**
   * Counts the memories, writes and searches of a project.
   *
   * @throws {ApiError} invalid, not_found
   */
  getStats(input?: GetStatsInput, options?: RequestOptions): Promise<GetStatsOutput>;

  /**
   * Answers a short text of what the selected memories say.
   *
   * @throws {ApiError} invalid, not_found
   */
  getSummary(input?: GetSummaryInput, options?: RequestOptions): Promise<GetSummaryOutput>;

  /**
   * Answers what is known of a user, by topic, from stored memories.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProfile(input: GetProfileInput, options?: RequestOptions): Promise<Profile>;

  /**
   * Answers whether profiles are made, and in which shape.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProfileSettings(
    input?: GetProfileSettingsInput,
    options?: RequestOptions,
  ): Promise<ProfileSettings>;

  /**
   * Changes what is sent and answers the settings as they are then.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateProfileSettings(
    input?: UpdateProfileSettingsInput,
    options?: RequestOptions,
  ): Promise<ProfileSettings>;

  /**
   * Makes the profile of one entity anew (trigger), or of some as a sample.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createProfileJob(input: CreateProfileJobInput, options?: RequestOptions): Promise<ProfileJob>;

  /**
   * Answers the state of a profile job and what it made.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProfileJob(input: GetProfileJobInput, options?: RequestOptions): Promise<GetProfileJobOutput>;
}
