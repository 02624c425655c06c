// Generated from the contract by `npm run generate`.

import type { Paged, RequestOptions } from './paged.ts';

/**
 * One call of an operation. It holds no text: `ids` are those of records, and `entities` HMACs
 * of entity ids under a salt that is erased with the entity. The entries of a process form a
 * chain: `hash` covers the entry and `previous`, the hash of the entry before it. The first of
 * a chain has that of the last entry of the log, or '' if it is the first of all.
 */
export interface AuditEntry {
  chain: string;
  number: number;
  created_at: string;
  account_id: string | null;
  key_id: string | null;
  project_id: string | null;
  operation: string;
  ids: string[];
  entities: string[];
  outcome: string;
  previous: string;
  hash: string;
}

/** A rating of one memory. A second rating replaces the first; null withdraws it. */
export interface Feedback {
  id: string;
  memory_id: string;
  feedback: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null;
  feedback_reason: string | null;
}

/** The record of one change. History outlives the memory: its last entry is the DELETE. */
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
 * A change of one memory, the other fields that it set if the versions before and after it are
 * kept, and whether an undo made it.
 */
export interface ToldChange extends HistoryEntry {
  changed?: Record<string, unknown> | undefined;
  undo?: boolean | undefined;
}

/**
 * The result of a write for one memory. NOOP means that nothing was stored, and `reason` says
 * why, so that no fact is dropped silently; its `id` is the memory that already holds the
 * text, or null. `may_replace` are ids of older memories that an added or updated one may
 * contradict, as `reason` says. With `find_similar`, `similar` are at most three others that a
 * text resembles which is stored as it is, the most alike first. None of them is changed.
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
  may_replace?: string[] | undefined;
  similar?:
    | Array<{
        id: string;
        memory: string;
        score: number;
      }>
    | undefined;
}

/** The two clocks of a question: what was known at a time, and what was true at a time. */
export interface BothClocks {
  /** As it was known at this time: 2026-05-01, or a snapshot */
  as_of?: string | undefined;
  /** As it was true at this time */
  valid_at?: string | undefined;
}

/** From when (inclusive) until when (exclusive) a fact is true. */
export interface ValidityFields {
  /** True since this time */
  valid_from?: string | null | undefined;
  /** True until this time */
  valid_until?: string | null | undefined;
}

/**
 * A user, agent, app or run. `total_memories` counts live; `created_at` and `updated_at` are
 * when the first and the last of its memories were added.
 */
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
  /** Whose memories; default: the current user */
  user_id?: string | undefined;
  /** Memories of this agent */
  agent_id?: string | undefined;
  /** Memories of this app */
  app_id?: string | undefined;
  /** Memories of this session */
  run_id?: string | undefined;
}

/** The same for what is stored: `*` owns nothing. */
export interface OwnerScope {
  /** Whose memories; default: the current user */
  user_id?: string | undefined;
  /** Memories of this agent */
  agent_id?: string | undefined;
  /** Memories of this app */
  app_id?: string | undefined;
  /** Memories of this session */
  run_id?: string | undefined;
}

/** Optional organization and project of a request; by default the caller's own. */
export interface ProjectScope {
  /** Organization */
  org_id?: string | undefined;
  /** Id or name; default: the current project */
  project_id?: string | undefined;
}

/**
 * The processing record of a write. `started_at`, `completed_at` and `latency` (milliseconds
 * from start to end) are null until they are known; `error` says why a FAILED event failed.
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
    | 'EXPORT'
    | 'UNDO';
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
  /** The key of the call; null for the local user. */
  key_id: string | null;
}

/** A member in a list. An invited account is known by its e-mail only, and has no number. */
export interface ListedMember {
  id: number | null;
  user_id: string;
  username: string;
  email: string;
  role: 'READER' | 'OWNER';
  status: 'accepted' | 'invited';
}

/**
 * A member of an organization or a project. `id` is the account's number; `user_id` and
 * `username` both name the account, for the two published member lists.
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
  /** MD5 of the normalised text, for client compatibility, not for security. */
  hash: string;
  metadata: Record<string, unknown>;
  categories: string[];
  immutable: boolean;
  /** Always of use, whatever is asked. */
  pinned: boolean;
  expiration_date: string | null;
  created_at: string;
  updated_at: string;
  /** The memory that this one was merged into. Search and list hide it then. */
  replaced_by: string | null;
  /** The kind of the memory; null if it was never classified. */
  type: 'fact' | 'preference' | 'instruction' | 'plan' | 'event' | 'relation' | null;
  /** The attribute that it states, such as `user:lives_in`. A newer value updates this memory. */
  slot: string | null;
  /** When the described event starts; `occurred_granularity` says how exact that is. */
  occurred_at: string | null;
  occurred_granularity: 'minute' | 'day' | 'week' | 'month' | 'season' | 'year' | null;
  /** When it is true, from the first until, exclusive, the second; null is open. */
  valid_from: string | null;
  valid_until: string | null;
  /** Search and list hide all but active ones, unless a filter names the status. */
  status: 'active' | 'candidate' | 'quarantined';
  /** The least trusted source that the text draws on. */
  source_class: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown';
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
  /** Older memories that this one may contradict, unchanged since; absent if there are none. */
  may_replace?: string[] | undefined;
}

/** A memory reduced to the requested `fields`; `id` always stays. */
export interface PartialMemory {
  id: string;
  memory?: string | undefined;
  user_id?: string | null | undefined;
  agent_id?: string | null | undefined;
  app_id?: string | null | undefined;
  run_id?: string | null | undefined;
  session_id?: string | null | undefined;
  /** MD5 of the normalised text, for client compatibility, not for security. */
  hash?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  categories?: string[] | undefined;
  immutable?: boolean | undefined;
  /** Always of use, whatever is asked. */
  pinned?: boolean | undefined;
  expiration_date?: string | null | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
  /** The memory that this one was merged into. Search and list hide it then. */
  replaced_by?: string | null | undefined;
  /** The kind of the memory; null if it was never classified. */
  type?: 'fact' | 'preference' | 'instruction' | 'plan' | 'event' | 'relation' | null | undefined;
  /** The attribute that it states, such as `user:lives_in`. A newer value updates this memory. */
  slot?: string | null | undefined;
  /** When the described event starts; `occurred_granularity` says how exact that is. */
  occurred_at?: string | null | undefined;
  occurred_granularity?: 'minute' | 'day' | 'week' | 'month' | 'season' | 'year' | null | undefined;
  /** When it is true, from the first until, exclusive, the second; null is open. */
  valid_from?: string | null | undefined;
  valid_until?: string | null | undefined;
  /** Search and list hide all but active ones, unless a filter names the status. */
  status?: 'active' | 'candidate' | 'quarantined' | undefined;
  /** The least trusted source that the text draws on. */
  source_class?: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown' | undefined;
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
  /** Older memories that this one may contradict, unchanged since; absent if there are none. */
  may_replace?: string[] | undefined;
}

/** The parts of the score, which add up to it. */
export interface ScoreBreakdown {
  /** The time of the message or of the event. */
  semantic: number;
  /** The time of the message or of the event. */
  keyword: number;
  /** The time of the message or of the event. */
  entity: number;
  /** The time of the message or of the event. */
  temporal: number;
}

/** A search result with its score. */
export interface ScoredMemory extends PartialMemory {
  /** The time of the message or of the event. */
  score: number;
  score_breakdown?: ScoreBreakdown | undefined;
}

/** The message that a memory was extracted from. */
export interface Source {
  role: string;
  /** The speaker, if the message names one. */
  name: string | null;
  /** Its text; of a long message, the part that the memory came from, between ellipses. */
  content: string;
  /** The session of the message. */
  run_id: string | null;
  /** The time of the message. */
  created_at: string;
}

/** A memory with its source; null if the source was not kept. */
export interface SourcedMemory extends Memory {
  source: Source | null;
}

/**
 * A memory as the store held it from `recorded_from` (inclusive) until `recorded_until`
 * (exclusive; null if it still does), by its own clock. `superseded_at` is when it ceased to
 * be true, if what came after it superseded it, or a part of it, so that the rest came after
 * it.
 */
export interface VersionedMemory extends Memory {
  recorded_from: string;
  recorded_until: string | null;
  superseded_at: string | null;
  superseded_in_part: boolean;
}

/**
 * One turn of a conversation. `name` is the speaker if several share a role. Multimodal
 * content is one part or an array of parts: text parts are joined, and the others are counted
 * in `skipped_parts`, so that the event can report them.
 */
export interface Message {
  /** user or assistant */
  role: string;
  /** Text */
  content: string;
  /** Speaker */
  name?: string | undefined;
}

/** A tenant with projects and members. `owner` is the number of the account that created it. */
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

/** The profile of one entity. */
export interface Profile {
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  entity_id: string;
  status: 'succeeded' | 'pending' | 'failed' | 'not_enabled' | 'insufficient_data';
  /** By topic, or in the shape of the configured schema; empty unless it succeeded. */
  profile: Record<string, unknown>;
  memory_count: number;
  generated_at: string | null;
  /** Repeats `generated_at`, because some clients read this field. */
  updated_at: string | null;
  generation_count: number;
  error: string | null;
}

/** A job that generates profiles, with its results so far. */
export interface ProfileJob {
  id: string;
  job_id: string;
  /** Path of `get_profile_job` for this job. */
  status_url: string;
  operation: 'trigger' | 'sample';
  status: 'succeeded' | 'pending' | 'failed' | 'not_enabled' | 'insufficient_data';
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  entity_id: string | null;
  entity_ids: string[];
  entity_count_reserved: number;
  /** The number of entities in a sample. */
  sampled?: number | undefined;
  event_id: string | null;
  profiles: Profile[];
  error: string | null;
  created_at: string;
  completed_at: string | null;
}

/** Counts of a job by outcome. */
export interface ProfileJobCounts {
  id: string;
  operation: 'trigger' | 'sample';
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  status: 'succeeded' | 'pending' | 'failed' | 'not_enabled' | 'insufficient_data';
  total: number;
  /** The entities of a job are known when it is created. */
  enumeration_complete: true;
  completed: number;
  succeeded: number;
  failed: number;
  skipped: number;
}

/** Whether profiles are generated, and the shape for each entity type. */
export interface ProfileSettings {
  enabled: boolean;
  entities: Partial<Record<'user' | 'agent' | 'app' | 'run', ProfileShape>>;
}

/** The shape of profiles of one entity type: a JSON Schema to fill, and instructions. */
export interface ProfileShape {
  schema?: Record<string, unknown> | null | undefined;
  custom_instructions?: string | null | undefined;
}

/** A project reduced to the requested `fields`; its ids always stay. */
export interface PartialProject {
  /** How to extract facts */
  custom_instructions?: string | null | undefined;
  /** How to extract facts from agents */
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
  /** Keep the source language */
  multilingual?: boolean | undefined;
  /** Lower scores of unused memories */
  decay?: boolean | undefined;
  /** Least trusted source that is recalled unreviewed */
  trust_min?: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown' | undefined;
  /** Which new memories wait for a review */
  review?: 'off' | 'unsure' | 'all' | undefined;
  /** Quarantine what reads like orders to an agent */
  quarantine_flagged?: boolean | undefined;
  /** Groups of names that mean the same */
  aliases?: Array<string[]> | undefined;
  /** What is kept of what searches ask */
  keep_recalls?: 'off' | 'hash' | 'text' | undefined;
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

/** An isolated set of memories. */
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

export interface ProjectSettings {
  /** How to extract facts */
  custom_instructions: string | null;
  /** How to extract facts from agents */
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
  /** Keep the source language */
  multilingual: boolean;
  /** Lower scores of unused memories */
  decay: boolean;
  /** Least trusted source that is recalled unreviewed */
  trust_min: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown';
  /** Which new memories wait for a review */
  review: 'off' | 'unsure' | 'all';
  /** Quarantine what reads like orders to an agent */
  quarantine_flagged: boolean;
  /** Groups of names that mean the same */
  aliases: Array<string[]>;
  /** What is kept of what searches ask */
  keep_recalls: 'off' | 'hash' | 'text';
}

/**
 * What an erasure removed: rows deleted or emptied, by table and index. `remaining` is what a
 * second pass over all of them still found, and empty if nothing is left; `outside` names what
 * mneme cannot reach.
 */
export interface Receipt {
  removed: Record<string, number>;
  remaining: Record<string, number>;
  outside: string[];
  checked_at: string;
}

/** An edge of the knowledge graph: how two entities are related, and which memory says so. */
export interface Relation {
  source: string;
  source_type: string;
  relationship: string;
  target: string;
  target_type: string;
  memory_id: string;
}

/** How an answer came about. */
export interface Explanation {
  /** In their order, for each thing that is asked; `query` is null for what is done with all. */
  stages: Array<{
    stage:
      | 'words'
      | 'dates'
      | 'neighbours'
      | 'vectors'
      | 'recent'
      | 'upcoming'
      | 'always'
      | 'around'
      | 'score'
      | 'threshold'
      | 'cut'
      | 'top_k'
      | 'duplicates'
      | 'max_tokens';
    query: string | null;
    memories: number;
    limit: number | null;
  }>;
  results: Array<{
    id: string;
    /** The time of the message or of the event. */
    score: number | null;
    score_breakdown: ScoreBreakdown | null;
    found_by: Array<
      'words' | 'dates' | 'neighbours' | 'vectors' | 'recent' | 'upcoming' | 'always' | 'around'
    >;
  }>;
  /** At most 50 that were found and are not in the answer: the stage at which each fell out. */
  left_out: Array<{
    id: string;
    stage: 'score' | 'threshold' | 'cut' | 'top_k' | 'duplicates' | 'max_tokens';
    /** The time of the message or of the event. */
    score: number | null;
    limit: number | null;
  }>;
  /** Names in the question that mean others as well. */
  aliases?:
    | Array<{
        name: string;
        also: string[];
      }>
    | undefined;
  /** The memory that `explain_id` names. */
  memory?:
    | {
        id: string;
        stage:
          | 'unknown'
          | 'filters'
          | 'hidden'
          | 'not_found'
          | 'score'
          | 'threshold'
          | 'cut'
          | 'top_k'
          | 'duplicates'
          | 'max_tokens'
          | null;
        /** The time of the message or of the event. */
        score: number | null;
        limit: number | null;
        reason: string;
      }
    | undefined;
}

export interface SearchMemoriesOutput {
  results: ScoredMemory[];
  relations?: Relation[] | undefined;
  warning?: string | undefined;
  note?: string | undefined;
  weak?: ScoredMemory[] | undefined;
  explanation?: Explanation | undefined;
}

/** Fields of an input that has its answer explained. */
export interface ExplainFields {
  /** Also say why. Default false */
  explain?: boolean | undefined;
  /** Memory: why it is not there */
  explain_id?: string | undefined;
}

/** One notification to one webhook, with the outcome of its latest attempt. */
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

/** `secret` is returned only when the webhook is created or the secret is rotated. */
export interface Webhook {
  webhook_id: string;
  name: string;
  url: string;
  event_types: Array<
    | 'memory:add'
    | 'memory:update'
    | 'memory:delete'
    | 'memory:categorize'
    | 'memory_add'
    | 'memory_update'
    | 'memory_delete'
    | 'memory_categorize'
  >;
  is_active: boolean;
  project: string;
  /** Why the service disabled it; null if it did not. */
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

export interface AddMemoryInput extends OwnerScope, ValidityFields, ProjectScope {
  /** One fact, stored word for word */
  text?: string | undefined;
  /** Turns of a conversation, to extract facts from */
  messages?: Message[] | undefined;
  /** Your own data, to filter by */
  metadata?: Record<string, unknown> | undefined;
  /** false stores messages word for word */
  infer?: boolean | undefined;
  /** Say what one text, stored verbatim, resembles */
  find_similar?: boolean | undefined;
  /** Return at once with a PENDING event. Default true */
  async_mode?: boolean | undefined;
  /** Where it is from, if not the user */
  source_class?: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown' | undefined;
  /** Refuse updates. Default false */
  immutable?: boolean | undefined;
  /** Show it in every context. Default false */
  pinned?: boolean | undefined;
  /** Last day: YYYY-MM-DD */
  expiration_date?: string | null | undefined;
  /** When it was said, in Unix seconds */
  timestamp?: number | undefined;
  /** What to remember */
  includes?: string | undefined;
  /** What not to remember */
  excludes?: string | undefined;
  /** Category names with descriptions */
  custom_categories?: Record<string, string> | undefined;
  /** How to extract facts */
  custom_instructions?: string | undefined;
  /** Also extract entities and relations. Default false */
  enable_graph?: boolean | undefined;
  /** v1.1 wraps results in an object */
  output_format?: string | undefined;
  /** Memory version */
  version?: string | undefined;
}

export interface SearchMemoriesInput extends EntityScope, BothClocks, ProjectScope, ExplainFields {
  /** Question, or words of the answer */
  query: string;
  /**
   * Conditions by field, ANDed; AND, OR, NOT take arrays. Fields: user_id, agent_id, app_id,
   * run_id, id, created_at, updated_at, expiration_date, occurred_at, valid_from, valid_until,
   * type, status, source_class, categories, keywords, text, immutable, pinned, metadata.<key>.
   * Values: equal, a list, or {eq, ne, in, nin, gt, gte, lt, lte, contains, icontains}; "*" is
   * any
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
  /** Whose days, as Europe/Berlin */
  timezone?: string | undefined;
  /** Hide merged memories. Default true */
  latest_only?: boolean | undefined;
  /** Include expired ones. Default false */
  show_expired?: boolean | undefined;
  /** Include those that wait for a review. Default false */
  show_waiting?: boolean | undefined;
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
  /** How strictly weak results are left out. Default "off" */
  cut?: 'off' | 'relaxed' | 'strict' | undefined;
  /** The same as cut: relaxed. Default false */
  filter_memories?: boolean | undefined;
  /** Date of "today" */
  reference_date?: string | undefined;
  /** Also return relations. Default false */
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

export interface GetMemoriesInput extends EntityScope, BothClocks, ProjectScope {
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
  /** Whose days, as Europe/Berlin */
  timezone?: string | undefined;
  /** Hide merged memories. Default true */
  latest_only?: boolean | undefined;
  /** Include expired ones. Default false */
  show_expired?: boolean | undefined;
  /** Include those that wait for a review. Default false */
  show_waiting?: boolean | undefined;
  /** Fields to return */
  fields?: string[] | undefined;
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
  /** By this field, with - newest first. Default "-created_at" */
  sort?: '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | undefined;
  /** Also return relations. Default false */
  enable_graph?: boolean | undefined;
  /** v1.1 includes relations */
  output_format?: string | undefined;
}

export interface GetMemoryInput extends BothClocks, ProjectScope {
  /** Id from a result */
  memory_id: string;
}

export interface UpdateMemoryOutput extends Memory {
  text: string;
  message?: string | undefined;
}

export interface UpdateMemoryInput extends ValidityFields, ProjectScope {
  /** Id from a result */
  memory_id: string;
  /** New text */
  text?: string | undefined;
  /** Replaces all metadata */
  metadata?: Record<string, unknown> | undefined;
  /** Replaces all categories */
  categories?: string[] | undefined;
  /** Unix seconds; new created_at */
  timestamp?: number | undefined;
  /** Last day: YYYY-MM-DD, or null */
  expiration_date?: string | null | undefined;
  /** Show it in every context */
  pinned?: boolean | undefined;
}

export interface DeleteMemoryOutput {
  message: string;
  deleted: number;
}

export interface DeleteMemoryInput extends ProjectScope {
  /** Id from a result */
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
  /** A memory_id and what changes, for each */
  memories: Array<{
    /** Id from a result */
    memory_id: string;
    /** New text */
    text?: string | undefined;
    /** Replaces all metadata */
    metadata?: Record<string, unknown> | undefined;
    /** Replaces all categories */
    categories?: string[] | undefined;
    /** Show it in every context */
    pinned?: boolean | undefined;
    /** True since this time */
    valid_from?: string | null | undefined;
    /** True until this time */
    valid_until?: string | null | undefined;
  }>;
}

export interface BatchDeleteMemoriesOutput {
  message: string;
  deleted: number;
  event_id: string;
}

export interface BatchDeleteMemoriesInput extends ProjectScope {
  /** Ids from results */
  memory_ids: string[];
}

export interface EraseMemoriesOutput {
  message: string;
  deleted: number;
  event_id: string;
  receipt: Receipt;
}

export interface EraseMemoriesInput extends EntityScope, ProjectScope {
  /** Metadata values to match */
  metadata?: Record<string, unknown> | undefined;
  /** As in search_memories */
  filters?: Record<string, unknown> | undefined;
  /** Ids, also of deleted ones */
  memory_ids?: string[] | undefined;
}

export interface AddFeedbackInput extends ProjectScope {
  /** Id from a result */
  memory_id: string;
  /** Whether it was useful */
  feedback?: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null | undefined;
  /** Why */
  feedback_reason?: string | null | undefined;
}

export interface GetContextOutput {
  text: string;
  blocks: Array<{
    kind: 'always' | 'upcoming' | 'answers' | 'around' | 'recent';
    memory_ids: string[];
    tokens: number;
  }>;
  used: number;
  left_out: Array<{
    id: string;
    reason: 'below_cut' | 'duplicate' | 'over_budget';
  }>;
  warning?: string | undefined;
  explanation?: Explanation | undefined;
}

export interface GetContextInput extends EntityScope, BothClocks, ProjectScope, ExplainFields {
  /** Question, topic or task */
  query?: string | undefined;
  /** Turns so far; the last one is answered */
  messages?: Message[] | undefined;
  /** Budget, default 1000 */
  max_tokens?: number | undefined;
  /** How strictly weak results are left out. Default "relaxed" */
  cut?: 'off' | 'relaxed' | 'strict' | undefined;
  /** markdown, plain, xml, json. Default "markdown" */
  template?: 'markdown' | 'plain' | 'xml' | 'json' | undefined;
  /** As in search_memories */
  filters?: Record<string, unknown> | undefined;
  /** Date of "today" */
  reference_date?: string | undefined;
  /** Whose days, as Europe/Berlin */
  timezone?: string | undefined;
}

export interface GetHistoryOutput {
  results: ToldChange[];
}

export interface GetHistoryInput extends ProjectScope {
  /** Id from a result */
  memory_id: string;
}

export interface GetVersionsOutput {
  results: VersionedMemory[];
}

export interface GetVersionsInput extends ProjectScope {
  /** Id from a result */
  memory_id: string;
}

export interface ListHistoryOutput {
  results: HistoryEntry[];
  total: number;
  page: number;
  page_size: number;
}

export interface ListHistoryInput extends EntityScope, ProjectScope {
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface ListRelationsOutput {
  results: Array<{
    source: string;
    source_type: string;
    relationship: string;
    target: string;
    target_type: string;
    memory_id: string;
    memory: string;
  }>;
  has_more: boolean;
}

export interface ListRelationsInput extends ProjectScope {
  /** Source or target */
  entity?: string | undefined;
  /** User */
  user_id?: string | undefined;
  /** Most relations, default 200 */
  limit?: number | undefined;
}

export interface ListChangesOutput {
  results: Array<{
    id: string;
    memory_id: string;
    event: 'ADD' | 'UPDATE' | 'DELETE';
    old_memory: string | null;
    memory: string | null;
    user_id: string | null;
    agent_id: string | null;
    app_id: string | null;
    run_id: string | null;
    metadata: Record<string, unknown> | null;
    categories: string[];
    recorded_at: string;
    cursor: string;
  }>;
  cursor: string;
  has_more: boolean;
}

export interface ListChangesInput extends EntityScope, ProjectScope {
  /** Cursor, or "now" */
  after?: string | undefined;
  /** Most changes, default 100 */
  limit?: number | undefined;
}

export interface UndoChangesOutput {
  message: string;
  event_id: string | null;
  dry_run: boolean;
  changes: Array<{
    id: string;
    event: 'ADD' | 'UPDATE' | 'DELETE';
    old_memory: string | null;
    memory: string | null;
    changed?: Record<string, unknown> | undefined;
  }>;
  conflicts: Array<{
    id: string;
    reason: string;
  }>;
  redo?: boolean | undefined;
}

export interface UndoChangesInput extends EntityScope, ProjectScope {
  /** All that this event changed */
  event_id?: string | undefined;
  /** This memory only */
  memory_id?: string | undefined;
  /** The memory as it was then */
  as_of?: string | undefined;
  /** All changes after this time */
  since?: string | undefined;
  /** Those of this key */
  key_id?: string | undefined;
  /** Only tell what it would do. Default false */
  dry_run?: boolean | undefined;
  /** Also what changed again later. Default false */
  force?: boolean | undefined;
}

export interface DiffChangesOutput {
  from: string;
  to: string;
  added: Array<{
    id: string;
    event: 'ADD' | 'UPDATE' | 'DELETE';
    old_memory: string | null;
    memory: string | null;
    changed?: Record<string, unknown> | undefined;
  }>;
  changed: Array<{
    id: string;
    event: 'ADD' | 'UPDATE' | 'DELETE';
    old_memory: string | null;
    memory: string | null;
    changed?: Record<string, unknown> | undefined;
  }>;
  removed: Array<{
    id: string;
    event: 'ADD' | 'UPDATE' | 'DELETE';
    old_memory: string | null;
    memory: string | null;
    changed?: Record<string, unknown> | undefined;
  }>;
  has_more: boolean;
}

export interface DiffChangesInput extends EntityScope, ProjectScope {
  /** Earlier time or snapshot */
  from: string;
  /** Later one, default now */
  to?: string | undefined;
  /** Most memories, default 100 */
  limit?: number | undefined;
}

export interface CreateSnapshotOutput {
  name: string;
  as_of: string;
  created_at: string;
}

export interface CreateSnapshotInput extends ProjectScope {
  /** Snapshot */
  name: string;
  /** Time, default now */
  as_of?: string | undefined;
}

export interface ListSnapshotsOutput {
  results: Array<{
    name: string;
    as_of: string;
    created_at: string;
  }>;
}

export type ListSnapshotsInput = ProjectScope;

export interface DeleteSnapshotOutput {
  message: string;
}

export interface DeleteSnapshotInput extends ProjectScope {
  /** Snapshot */
  name: string;
}

export interface ListRecallsOutput {
  results: Array<{
    id: string;
    operation: 'search_memories' | 'get_context';
    key_id: string | null;
    user_id: string | null;
    agent_id: string | null;
    app_id: string | null;
    run_id: string | null;
    created_at: string;
    query: string | null;
    query_hash: string | null;
    settings: Record<string, unknown>;
    cut: 'off' | 'relaxed' | 'strict';
    as_of: string | null;
    valid_at: string | null;
    ranking: number;
    tokens: number;
    total: number;
    results: Array<{
      id: string;
      /** The time of the message or of the event. */
      score: number | null;
    }>;
  }>;
  total: number;
  page: number;
  page_size: number;
}

export interface ListRecallsInput extends EntityScope, ProjectScope {
  /** Only of this operation */
  operation?: 'search_memories' | 'get_context' | undefined;
  /** Not before */
  from?: string | undefined;
  /** Not after */
  to?: string | undefined;
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface ReplayRecallOutput {
  recall: {
    id: string;
    operation: 'search_memories' | 'get_context';
    key_id: string | null;
    user_id: string | null;
    agent_id: string | null;
    app_id: string | null;
    run_id: string | null;
    created_at: string;
    query: string | null;
    query_hash: string | null;
    settings: Record<string, unknown>;
    cut: 'off' | 'relaxed' | 'strict';
    as_of: string | null;
    valid_at: string | null;
    ranking: number;
    tokens: number;
    total: number;
    results: Array<{
      id: string;
      /** The time of the message or of the event. */
      score: number | null;
    }>;
  };
  then: {
    as_of: string;
    tokens: number;
    results: Array<{
      id: string;
      /** The time of the message or of the event. */
      score: number | null;
      memory: string;
    }>;
    cut: number | null;
    left_out: Array<{
      id: string;
      /** The time of the message or of the event. */
      score: number | null;
      memory: string;
      stage: 'score' | 'threshold' | 'cut' | 'top_k' | 'duplicates' | 'max_tokens';
    }>;
  };
  now: {
    as_of: string;
    tokens: number;
    results: Array<{
      id: string;
      /** The time of the message or of the event. */
      score: number | null;
      memory: string;
    }>;
    cut: number | null;
    left_out: Array<{
      id: string;
      /** The time of the message or of the event. */
      score: number | null;
      memory: string;
      stage: 'score' | 'threshold' | 'cut' | 'top_k' | 'duplicates' | 'max_tokens';
    }>;
  };
  differences: Array<{
    memory_id: string;
    memory: string;
    then_rank: number | null;
    now_rank: number | null;
    reason:
      | 'superseded'
      | 'deleted'
      | 'learned_later'
      | 'decayed'
      | 'expired'
      | 'hidden'
      | 'cut'
      | 'not_found'
      | 'ranking'
      | 'others';
    detail: string;
  }>;
}

export interface ReplayRecallInput extends ProjectScope {
  /** Recall */
  recall_id: string;
}

export interface CreateExportOutput {
  message: string;
  id: string;
}

export interface CreateExportInput extends EntityScope, BothClocks, ProjectScope {
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
  /** Default: the newest export */
  memory_export_id?: string | undefined;
  /** AND/OR/NOT tree of conditions */
  filters?: Record<string, unknown> | undefined;
}

export interface ImportMemoriesOutput {
  entities: {
    added: number;
    updated: number;
    unchanged: number;
  };
  memories: {
    added: number;
    updated: number;
    unchanged: number;
  };
  versions: {
    added: number;
    updated: number;
    unchanged: number;
  };
  history: {
    added: number;
    updated: number;
    unchanged: number;
  };
  feedback: {
    added: number;
    updated: number;
    unchanged: number;
  };
  refused: number;
  problems: string[];
  redacted: number;
  ahead: number;
  not_trusted: number;
}

export interface ImportMemoriesInput extends OwnerScope, ProjectScope {
  /** The objects on the lines; a long file takes several requests */
  lines: unknown[];
  /** Who wrote the file. Default "mneme" */
  format?: 'mneme' | 'server-memory' | undefined;
  /** Check every line, and store nothing. Default false */
  dry_run?: boolean | undefined;
  /** Leave out lines that are not valid, instead of storing none. Default false */
  skip_invalid?: boolean | undefined;
}

export interface CreateUserOutput {
  id: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  graph_entities: null;
  is_deleted: boolean;
  project: number;
  user_id: string;
}

export interface CreateUserInput extends ProjectScope {
  /** User */
  user_id: string;
  /** Custom data */
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateAgentOutput {
  id: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  graph_entities: null;
  is_deleted: boolean;
  project: number;
  name: string;
  agent_id: string;
}

export interface CreateAgentInput extends ProjectScope {
  /** Agent */
  agent_id: string;
  /** Name */
  name: string;
  /** Custom data */
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateAppOutput {
  id: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  graph_entities: null;
  is_deleted: boolean;
  project: number;
  name: string;
  app_id: string;
}

export interface CreateAppInput extends ProjectScope {
  /** App */
  app_id: string;
  /** Name */
  name: string;
  /** Custom data */
  metadata?: Record<string, unknown> | undefined;
}

export interface CreateRunOutput {
  id: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  graph_entities: null;
  is_deleted: boolean;
  project: number;
  name: string;
  run_id: string;
}

export interface CreateRunInput extends ProjectScope {
  /** Session */
  run_id: string;
  /** Name */
  name: string;
  /** Custom data */
  metadata?: Record<string, unknown> | undefined;
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

export interface ListEntitiesInput extends BothClocks, ProjectScope {
  /** Kind of owner */
  entity_type?: 'user' | 'agent' | 'app' | 'run' | undefined;
  /** Part of the id or name, in any case */
  query?: string | undefined;
  /** name from A to Z; the others from the newest or most. Default "created_at" */
  sort?: 'created_at' | 'updated_at' | 'total_memories' | 'name' | undefined;
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface GetFilterValuesOutput {
  event_type: string[];
  categories: string[];
  users: string[];
  parameters: Array<{
    name: string;
    operators: string[];
  }>;
}

export type GetFilterValuesInput = ProjectScope;

export interface DeleteEntityOutput {
  message: string;
  deleted: number;
  event_id: string;
  receipt: Receipt;
}

export interface DeleteEntityInput extends ProjectScope {
  /** Kind of owner */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  /** Id of the owner */
  entity_id: string;
}

export interface ListEventsOutput {
  results: Event[];
  total: number;
  page: number;
  page_size: number;
}

export interface ListEventsInput extends ProjectScope {
  /** What was done */
  event_type?:
    | 'ADD'
    | 'SEARCH'
    | 'UPDATE'
    | 'DELETE'
    | 'GET_ALL'
    | 'DELETE_ALL'
    | 'DELETE_ENTITY'
    | 'EXPORT'
    | 'UNDO'
    | undefined;
  /** What is left out */
  except_event_type?:
    | 'ADD'
    | 'SEARCH'
    | 'UPDATE'
    | 'DELETE'
    | 'GET_ALL'
    | 'DELETE_ALL'
    | 'DELETE_ENTITY'
    | 'EXPORT'
    | 'UNDO'
    | undefined;
  /** How far it is */
  status?: 'PENDING' | 'RUNNING' | 'FAILED' | 'SUCCEEDED' | undefined;
  /** Kind of owner */
  entity_type?: 'user' | 'agent' | 'app' | 'run' | undefined;
  /** Only requests about this user, agent, app or run */
  entity_id?: string | undefined;
  /** Page, from 1. Default 1 */
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
  /** Address to be told */
  url: string;
  /** Name */
  name?: string | undefined;
  /** Changes to be told of; default: all */
  event_types?:
    | Array<
        | 'memory:add'
        | 'memory:update'
        | 'memory:delete'
        | 'memory:categorize'
        | 'memory_add'
        | 'memory_update'
        | 'memory_delete'
        | 'memory_categorize'
      >
    | undefined;
  /** Whether it is told. Default true */
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
  /** Address to be told */
  url?: string | undefined;
  /** Name */
  name?: string | undefined;
  /** Changes to be told of; default: all */
  event_types?:
    | Array<
        | 'memory:add'
        | 'memory:update'
        | 'memory:delete'
        | 'memory:categorize'
        | 'memory_add'
        | 'memory_update'
        | 'memory_delete'
        | 'memory_categorize'
      >
    | undefined;
  /** Whether it is told */
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
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 50 */
  page_size?: number | undefined;
}

export interface ResendWebhookDeliveryInput {
  /** Webhook */
  webhook_id: string;
  /** Delivery */
  delivery_id: string;
}

export interface CreateOrganizationOutput {
  message: string;
  org_id: string;
}

export interface CreateOrganizationInput {
  /** Name */
  name: string;
  /** Description */
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
  members: ListedMember[];
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
  /** Role */
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
  /** Role */
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

export interface ListInvitationsOutput {
  results: Array<{
    org_id: string;
    organization_name: string;
    project_id: string | null;
    project_name: string | null;
    role: 'READER' | 'OWNER';
    created_at: string;
  }>;
  total: number;
  page: number;
  page_size: number;
}

export interface ListInvitationsInput {
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface AcceptInvitationOutput {
  message: string;
}

export interface AcceptInvitationInput {
  /** Organization */
  org_id: string;
}

export interface DeclineInvitationOutput {
  message: string;
}

export interface DeclineInvitationInput {
  /** Organization */
  org_id: string;
}

export interface CreateProjectOutput {
  message: string;
  project_id: string;
}

export interface CreateProjectInput {
  /** Organization */
  org_id?: string | undefined;
  /** Name */
  name: string;
  /** Description */
  description?: string | undefined;
}

export interface ListProjectsOutput {
  results: Project[];
}

export interface ListProjectsInput {
  /** Organization */
  org_id?: string | undefined;
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
  /** How to extract facts */
  custom_instructions?: string | null | undefined;
  /** How to extract facts from agents */
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
  /** Keep the source language */
  multilingual?: boolean | undefined;
  /** Lower scores of unused memories */
  decay?: boolean | undefined;
  /** Least trusted source that is recalled unreviewed */
  trust_min?: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown' | undefined;
  /** Which new memories wait for a review */
  review?: 'off' | 'unsure' | 'all' | undefined;
  /** Quarantine what reads like orders to an agent */
  quarantine_flagged?: boolean | undefined;
  /** Groups of names that mean the same */
  aliases?: Array<string[]> | undefined;
  /** What is kept of what searches ask */
  keep_recalls?: 'off' | 'hash' | 'text' | undefined;
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
  members: ListedMember[];
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
  /** Role */
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
  /** Role */
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

export interface ListReviewsOutput {
  results: Array<{
    id: string;
    memory: string;
    user_id: string | null;
    agent_id: string | null;
    app_id: string | null;
    run_id: string | null;
    session_id: string | null;
    /** MD5 of the normalised text, for client compatibility, not for security. */
    hash: string;
    metadata: Record<string, unknown>;
    categories: string[];
    immutable: boolean;
    /** Always of use, whatever is asked. */
    pinned: boolean;
    expiration_date: string | null;
    created_at: string;
    updated_at: string;
    /** The memory that this one was merged into. Search and list hide it then. */
    replaced_by: string | null;
    /** The kind of the memory; null if it was never classified. */
    type: 'fact' | 'preference' | 'instruction' | 'plan' | 'event' | 'relation' | null;
    /** The attribute that it states, such as `user:lives_in`. A newer value updates this memory. */
    slot: string | null;
    /** When the described event starts; `occurred_granularity` says how exact that is. */
    occurred_at: string | null;
    occurred_granularity: 'minute' | 'day' | 'week' | 'month' | 'season' | 'year' | null;
    /** When it is true, from the first until, exclusive, the second; null is open. */
    valid_from: string | null;
    valid_until: string | null;
    /** Search and list hide all but active ones, unless a filter names the status. */
    status: 'active' | 'candidate' | 'quarantined';
    /** The least trusted source that the text draws on. */
    source_class: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown';
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
    /** Older memories that this one may contradict, unchanged since; absent if there are none. */
    may_replace?: string[] | undefined;
    review_reason: 'source' | 'flagged' | 'unsure' | 'all' | null;
    supersedes: {
      id: string;
      memory: string;
    } | null;
  }>;
  total: number;
  page: number;
  page_size: number;
}

export interface ListReviewsInput extends EntityScope, ProjectScope {
  /** candidate or quarantined */
  status?: 'candidate' | 'quarantined' | undefined;
  /** Where they are from */
  source_class?: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown' | undefined;
  /** Why they wait */
  review_reason?: 'source' | 'flagged' | 'unsure' | 'all' | undefined;
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface ReviewMemoryOutput {
  message: string;
  results: WriteResult[];
  event_id: string | null;
}

export interface ReviewMemoryInput extends ProjectScope {
  /** Id from a result */
  memory_id: string;
  /** What becomes of it */
  decision: 'accept' | 'decline' | 'never';
  /** New text */
  text?: string | undefined;
  /** Whose text it replaces; null for none; default: as it was meant */
  replaces?: string | null | undefined;
}

export interface PingOutput {
  status: 'ok';
  org_id: string;
  project_id: string;
  user_email: string;
  read_only?: boolean | undefined;
  has_store?: boolean | undefined;
  timezone?: string | undefined;
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

export interface GetGrowthOutput {
  days: Array<{
    day: string;
    added: number;
    updated: number;
    deleted: number;
    searches: number;
    recalled_tokens: number;
    categories: Record<string, number>;
  }>;
}

export interface GetGrowthInput extends ProjectScope {
  /** Days until today, default 30 */
  days?: number | undefined;
}

export interface GetSummaryOutput {
  summary: string;
  memory_count: number;
  generated_at: string;
}

export interface GetSummaryInput extends EntityScope, BothClocks, ProjectScope {
  filters?: Record<string, unknown> | undefined;
}

export interface GetProfileInput extends BothClocks, ProjectScope {
  /** Kind */
  entity_type: 'user' | 'agent' | 'app' | 'run';
  /** Its id */
  entity_id: string;
}

export type GetProfileSettingsInput = ProjectScope;

export interface UpdateProfileSettingsInput extends ProjectScope {
  /** Generate profiles */
  enabled?: boolean | undefined;
  /** Shape for each kind */
  entities?: Partial<Record<'user' | 'agent' | 'app' | 'run', ProfileShape>> | undefined;
}

export interface CreateProfileJobOutput extends ProfileJob {
  replayed: boolean;
}

export interface CreateProfileJobInput extends ProjectScope {
  /** What to generate. Default "trigger" */
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

export interface CreateKeyOutput {
  key_id: string;
  name: string;
  prefix: string;
  account: string;
  org_id: string | null;
  project_id: string | null;
  read_only: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
  key: string;
}

export interface CreateKeyInput extends ProjectScope {
  /** Name. Default "unnamed" */
  name?: string | undefined;
  /** Whose key, if not yours */
  email?: string | undefined;
  /** All that the account reaches, or this organization or project. Default "account" */
  reach?: 'account' | 'organization' | 'project' | undefined;
  /** It may only read. Default false */
  read_only?: boolean | undefined;
  /** Default never */
  expires_in_days?: number | undefined;
}

export interface ListKeysOutput {
  results: Array<{
    key_id: string;
    name: string;
    prefix: string;
    account: string;
    org_id: string | null;
    project_id: string | null;
    read_only: boolean;
    expires_at: string | null;
    revoked_at: string | null;
    last_used_at: string | null;
    created_at: string;
  }>;
}

export type ListKeysInput = Record<string, never>;

export interface RevokeKeyOutput {
  message: string;
  key_id: string;
}

export interface RevokeKeyInput {
  /** Key */
  key_id: string;
}

export interface ResolveIdsOutput {
  results: Array<{
    short_id: string;
    ids: string[];
    total: number;
  }>;
}

export interface ResolveIdsInput extends EntityScope, ProjectScope {
  /** What the ids name. Default "memory" */
  kind?:
    | 'memory'
    | 'history'
    | 'event'
    | 'export'
    | 'webhook'
    | 'profile_job'
    | 'recall'
    | undefined;
  /** Last 8 digits of ids */
  short_ids: string[];
}

export interface ListAuditOutput {
  results: AuditEntry[];
  total: number;
  page: number;
  page_size: number;
  enabled?: boolean | undefined;
}

export interface ListAuditInput extends ProjectScope {
  /** Only calls of this operation */
  operation?: string | undefined;
  /** Only those that ended so: ok, or the code of an error */
  outcome?: string | undefined;
  /** Page, from 1. Default 1 */
  page?: number | undefined;
  /** Default 100 */
  page_size?: number | undefined;
}

export interface ListModelsOutput {
  in_use: string;
  runtime: {
    installed: boolean;
    folder: string;
  };
  models: Array<{
    name: string;
    in_use: boolean;
    installed: boolean;
    download_bytes: number;
    dimensions: number;
    languages: string;
    measured: {
      english: number;
      other_languages: number;
      locomo: number | null;
    } | null;
    local_embedder: string | null;
  }>;
  words: {
    english: number;
    other_languages: number;
    locomo: number | null;
  };
  embedding: {
    pending: number;
    total: number;
  } | null;
  language_model: string | null;
  tokens_today: number;
}

export type ListModelsInput = Record<string, never>;

export interface GetConfigurationOutput {
  version: string;
  values: Record<string, unknown>;
  sources: Record<string, string>;
}

export type GetConfigurationInput = Record<string, never>;

export interface CreateBackupOutput {
  file: string;
  bytes: number;
  created_at: string;
}

export type CreateBackupInput = Record<string, never>;

/** A method for each operation. What is refused is thrown as an `ApiError`. */
export interface Operations {
  /**
   * Stores facts. A durable queue extracts facts from messages, and an event tracks it; with
   * infer false, or sent as text, they are stored verbatim at once.
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
   * Lists the memories that match a filter, newest first or as `sort` says. Of the same time,
   * the order is that in which they were stored.
   *
   * @throws {ApiError} invalid, not_found
   */
  getMemories(
    input?: GetMemoriesInput,
    options?: RequestOptions,
  ): Paged<GetMemoriesOutput, PartialMemory>;

  /**
   * Returns one memory by its id, expired or not, with the message it came from.
   *
   * @throws {ApiError} invalid, not_found
   */
  getMemory(input: GetMemoryInput, options?: RequestOptions): Promise<SourcedMemory>;

  /**
   * Replaces the text, the metadata, the categories or the expiry of a memory, pins it, or says
   * when it is true; the id stays the same. A new text with valid_from supersedes the old one
   * then.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  updateMemory(input: UpdateMemoryInput, options?: RequestOptions): Promise<UpdateMemoryOutput>;

  /**
   * Deletes one memory. Its history is kept and ends with the DELETE.
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
   * Deletes memories by ids or filter with everything that tells of them: history, feedback,
   * relations, their data in events, deliveries and exports that may contain them. What is left
   * of deleted memories goes too. The receipt says what was removed from where.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  eraseMemories(input: EraseMemoriesInput, options?: RequestOptions): Promise<EraseMemoriesOutput>;

  /**
   * Rates one memory. A second rating replaces the first; null withdraws it.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  addFeedback(input: AddFeedbackInput, options?: RequestOptions): Promise<Feedback>;

  /**
   * Writes what is remembered as one text to paste before a conversation, within a budget of
   * tokens. Its beginning stays the same until what always holds changes. With a query, only
   * what answers it follows, and nothing where nothing does; without one, what is due within two
   * weeks and the newest memories follow.
   *
   * @throws {ApiError} invalid, not_found
   */
  getContext(input?: GetContextInput, options?: RequestOptions): Promise<GetContextOutput>;

  /**
   * Lists every change of a memory, oldest first, even after it is deleted.
   *
   * @throws {ApiError} invalid, not_found
   */
  getHistory(input: GetHistoryInput, options?: RequestOptions): Promise<GetHistoryOutput>;

  /**
   * Lists what the store held of a memory and when, oldest first, even after it is deleted; the
   * last one is as it is now.
   *
   * @throws {ApiError} invalid, not_found
   */
  getVersions(input: GetVersionsInput, options?: RequestOptions): Promise<GetVersionsOutput>;

  /**
   * Lists the changes of all memories of a project or of the entities named, newest first; not
   * those of memories that wait for a review.
   *
   * @throws {ApiError} invalid, not_found
   */
  listHistory(
    input?: ListHistoryInput,
    options?: RequestOptions,
  ): Paged<ListHistoryOutput, HistoryEntry>;

  /**
   * Lists the relations that current memories state, those of the newest memories first, with
   * the text of each memory. `entity` limits them to those that begin or end there.
   *
   * @throws {ApiError} invalid, not_found
   */
  listRelations(input?: ListRelationsInput, options?: RequestOptions): Promise<ListRelationsOutput>;

  /**
   * Lists the changes of memories after a cursor, in the order in which they were recorded, and
   * the cursor to go on with. Without `after`, it begins with the first change that is kept.
   *
   * @throws {ApiError} invalid, not_found
   */
  listChanges(input?: ListChangesInput, options?: RequestOptions): Promise<ListChangesOutput>;

  /**
   * Takes back what an event changed, the last change of one memory or all changes since a time;
   * by default the last change there was. Undoing is a change too, which can be undone.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  undoChanges(input: UndoChangesInput, options?: RequestOptions): Promise<UndoChangesOutput>;

  /**
   * Tells which memories were added, changed and removed between two times.
   *
   * @throws {ApiError} invalid, not_found
   */
  diffChanges(input: DiffChangesInput, options?: RequestOptions): Promise<DiffChangesOutput>;

  /**
   * Names a time, by default now, so that as_of can say it by that name.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  createSnapshot(
    input: CreateSnapshotInput,
    options?: RequestOptions,
  ): Promise<CreateSnapshotOutput>;

  /**
   * Lists the snapshots of a project, the newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listSnapshots(input?: ListSnapshotsInput, options?: RequestOptions): Promise<ListSnapshotsOutput>;

  /**
   * Deletes the name of a time. Memories stay as they are.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  deleteSnapshot(
    input: DeleteSnapshotInput,
    options?: RequestOptions,
  ): Promise<DeleteSnapshotOutput>;

  /**
   * Lists the searches and contexts that were answered, newest first, where the project keeps
   * them (`keep_recalls`).
   *
   * @throws {ApiError} invalid, not_found
   */
  listRecalls(
    input?: ListRecallsInput,
    options?: RequestOptions,
  ): Paged<
    ListRecallsOutput,
    {
      id: string;
      operation: 'search_memories' | 'get_context';
      key_id: string | null;
      user_id: string | null;
      agent_id: string | null;
      app_id: string | null;
      run_id: string | null;
      created_at: string;
      query: string | null;
      query_hash: string | null;
      settings: Record<string, unknown>;
      cut: 'off' | 'relaxed' | 'strict';
      as_of: string | null;
      valid_at: string | null;
      ranking: number;
      tokens: number;
      total: number;
      results: Array<{
        id: string;
        /** The time of the message or of the event. */
        score: number | null;
      }>;
    }
  >;

  /**
   * Puts a question that was kept once as of then and once now, and says of each memory whose
   * place or text differs why it does.
   *
   * @throws {ApiError} invalid, not_found
   */
  replayRecall(input: ReplayRecallInput, options?: RequestOptions): Promise<ReplayRecallOutput>;

  /**
   * Starts a job that fills a JSON Schema from the selected memories. Fields that no memory
   * answers are null, never invented.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createExport(input: CreateExportInput, options?: RequestOptions): Promise<CreateExportOutput>;

  /**
   * Returns the result of an export by id, otherwise of the latest export with the filters.
   *
   * @throws {ApiError} invalid, not_found
   */
  getExport(input?: GetExportInput, options?: RequestOptions): Promise<GetExportOutput>;

  /**
   * Stores lines of a file that `mneme export` or server-memory wrote, up to 500 memories
   * completely or not at all. What is stored already is left alone, so a request can be
   * repeated. The memories count as imported, whatever the lines say of their source; each line
   * of an export names its owner, and those of server-memory belong to the user, agent, app or
   * session of the request.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  importMemories(
    input: ImportMemoriesInput,
    options?: RequestOptions,
  ): Promise<ImportMemoriesOutput>;

  /**
   * Creates a user before its first memory. One that exists is returned as it is; only a name
   * and metadata that it does not have yet are added.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createUser(input: CreateUserInput, options?: RequestOptions): Promise<CreateUserOutput>;

  /**
   * Creates an agent before its first memory. One that exists is returned as it is; only a name
   * and metadata that it does not have yet are added.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createAgent(input: CreateAgentInput, options?: RequestOptions): Promise<CreateAgentOutput>;

  /**
   * Creates an app before its first memory. One that exists is returned as it is; only a name
   * and metadata that it does not have yet are added.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createApp(input: CreateAppInput, options?: RequestOptions): Promise<CreateAppOutput>;

  /**
   * Creates a run before its first memory. One that exists is returned as it is; only a name and
   * metadata that it does not have yet are added.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createRun(input: CreateRunInput, options?: RequestOptions): Promise<CreateRunOutput>;

  /**
   * Lists users, agents, apps and runs with counts of their memories, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listEntities(
    input?: ListEntitiesInput,
    options?: RequestOptions,
  ): Paged<ListEntitiesOutput, Entity>;

  /**
   * Returns the types of events, the categories of the project and of its newest 1000 memories,
   * as many of its newest users, and filter fields with their operators.
   *
   * @throws {ApiError} invalid, not_found
   */
  getFilterValues(
    input?: GetFilterValuesInput,
    options?: RequestOptions,
  ): Promise<GetFilterValuesOutput>;

  /**
   * Deletes an entity and everything with its id: memories (shared ones too), their history and
   * feedback, their data in events, and exports that may contain them. The receipt says what was
   * removed from where.
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
   * Returns the state and the results of one write.
   *
   * @throws {ApiError} invalid, not_found
   */
  getEvent(input: GetEventInput, options?: RequestOptions): Promise<Event>;

  /**
   * Subscribes an address to changes of a project; its secret is returned only once.
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
   * Returns one webhook, without its secret.
   *
   * @throws {ApiError} invalid, not_found
   */
  getWebhook(input: GetWebhookInput, options?: RequestOptions): Promise<Webhook>;

  /**
   * Changes the fields that are sent; enabling it again clears disabled_reason.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateWebhook(input: UpdateWebhookInput, options?: RequestOptions): Promise<UpdateWebhookOutput>;

  /**
   * Ends a subscription and drops its pending deliveries.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  deleteWebhook(input: DeleteWebhookInput, options?: RequestOptions): Promise<DeleteWebhookOutput>;

  /**
   * Returns a new secret, only once; the old secret is no longer used.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: RequestOptions): Promise<Webhook>;

  /**
   * Sends one signed test delivery and returns its outcome.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  testWebhook(input: TestWebhookInput, options?: RequestOptions): Promise<Delivery>;

  /**
   * Lists the deliveries of a webhook, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listWebhookDeliveries(
    input: ListWebhookDeliveriesInput,
    options?: RequestOptions,
  ): Paged<ListWebhookDeliveriesOutput, Delivery>;

  /**
   * Sends a delivery again, with the same id and the same retries; one that waits for its next
   * attempt is sent now. Settled ones keep no text: they tell what the memory says now.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  resendWebhookDelivery(
    input: ResendWebhookDeliveryInput,
    options?: RequestOptions,
  ): Promise<Delivery>;

  /**
   * Creates an organization, owned by its creator.
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
   * Returns one organization with its members.
   *
   * @throws {ApiError} invalid, not_found
   */
  getOrganization(input: GetOrganizationInput, options?: RequestOptions): Promise<Organization>;

  /**
   * Permanently deletes an organization with its projects and their contents.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  deleteOrganization(
    input: DeleteOrganizationInput,
    options?: RequestOptions,
  ): Promise<DeleteOrganizationOutput>;

  /**
   * Lists the members of an organization with their roles, and who is invited.
   *
   * @throws {ApiError} invalid, not_found
   */
  listOrganizationMembers(
    input: ListOrganizationMembersInput,
    options?: RequestOptions,
  ): Promise<ListOrganizationMembersOutput>;

  /**
   * Adds the account with this e-mail address. Unless it shares an organization with the caller,
   * it is invited, and reaches nothing until it accepts.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  addOrganizationMember(
    input: AddOrganizationMemberInput,
    options?: RequestOptions,
  ): Promise<AddOrganizationMemberOutput>;

  /**
   * Changes a member's role; the last owner can't be demoted.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  updateOrganizationMember(
    input: UpdateOrganizationMemberInput,
    options?: RequestOptions,
  ): Promise<UpdateOrganizationMemberOutput>;

  /**
   * Removes a member from the organization and its projects; the last owner can't be removed.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  removeOrganizationMember(
    input: RemoveOrganizationMemberInput,
    options?: RequestOptions,
  ): Promise<RemoveOrganizationMemberOutput>;

  /**
   * Lists the organizations and projects that the caller is invited to, newest first.
   *
   * @throws {ApiError} invalid
   */
  listInvitations(
    input?: ListInvitationsInput,
    options?: RequestOptions,
  ): Paged<
    ListInvitationsOutput,
    {
      org_id: string;
      organization_name: string;
      project_id: string | null;
      project_name: string | null;
      role: 'READER' | 'OWNER';
      created_at: string;
    }
  >;

  /**
   * Makes the caller a member wherever an organization invites it: there, and in its projects.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  acceptInvitation(
    input: AcceptInvitationInput,
    options?: RequestOptions,
  ): Promise<AcceptInvitationOutput>;

  /**
   * Removes the invitations of an organization, and of its projects.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  declineInvitation(
    input: DeclineInvitationInput,
    options?: RequestOptions,
  ): Promise<DeclineInvitationOutput>;

  /**
   * Creates a project in an organization; without `org_id`, in the caller's only one.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createProject(input: CreateProjectInput, options?: RequestOptions): Promise<CreateProjectOutput>;

  /**
   * Lists the projects of an organization that the caller can access; without `org_id`, of the
   * caller's only one.
   *
   * @throws {ApiError} invalid, not_found
   */
  listProjects(input?: ListProjectsInput, options?: RequestOptions): Promise<ListProjectsOutput>;

  /**
   * Returns one project with its settings and members.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProject(input: GetProjectInput, options?: RequestOptions): Promise<PartialProject>;

  /**
   * Changes the settings that are sent and keeps the others.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateProject(input: UpdateProjectInput, options?: RequestOptions): Promise<UpdateProjectOutput>;

  /**
   * Permanently deletes a project with its memories and everything else in it.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  deleteProject(input: DeleteProjectInput, options?: RequestOptions): Promise<DeleteProjectOutput>;

  /**
   * Lists the members of a project with their roles, and who is invited.
   *
   * @throws {ApiError} invalid, not_found
   */
  listProjectMembers(
    input: ListProjectMembersInput,
    options?: RequestOptions,
  ): Promise<ListProjectMembersOutput>;

  /**
   * Adds the account with this e-mail address. Unless it shares an organization with the caller,
   * it is invited, and reaches nothing until it accepts.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  addProjectMember(
    input: AddProjectMemberInput,
    options?: RequestOptions,
  ): Promise<AddProjectMemberOutput>;

  /**
   * Changes a member's role in this project.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateProjectMember(
    input: UpdateProjectMemberInput,
    options?: RequestOptions,
  ): Promise<UpdateProjectMemberOutput>;

  /**
   * Removes a member from this project, but not from its organization.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  removeProjectMember(
    input: RemoveProjectMemberInput,
    options?: RequestOptions,
  ): Promise<RemoveProjectMemberOutput>;

  /**
   * Lists the memories that wait for a review, newest first.
   *
   * @throws {ApiError} invalid, not_found
   */
  listReviews(
    input?: ListReviewsInput,
    options?: RequestOptions,
  ): Paged<
    ListReviewsOutput,
    {
      id: string;
      memory: string;
      user_id: string | null;
      agent_id: string | null;
      app_id: string | null;
      run_id: string | null;
      session_id: string | null;
      /** MD5 of the normalised text, for client compatibility, not for security. */
      hash: string;
      metadata: Record<string, unknown>;
      categories: string[];
      immutable: boolean;
      /** Always of use, whatever is asked. */
      pinned: boolean;
      expiration_date: string | null;
      created_at: string;
      updated_at: string;
      /** The memory that this one was merged into. Search and list hide it then. */
      replaced_by: string | null;
      /** The kind of the memory; null if it was never classified. */
      type: 'fact' | 'preference' | 'instruction' | 'plan' | 'event' | 'relation' | null;
      /** The attribute that it states, such as `user:lives_in`. A newer value updates this memory. */
      slot: string | null;
      /** When the described event starts; `occurred_granularity` says how exact that is. */
      occurred_at: string | null;
      occurred_granularity: 'minute' | 'day' | 'week' | 'month' | 'season' | 'year' | null;
      /** When it is true, from the first until, exclusive, the second; null is open. */
      valid_from: string | null;
      valid_until: string | null;
      /** Search and list hide all but active ones, unless a filter names the status. */
      status: 'active' | 'candidate' | 'quarantined';
      /** The least trusted source that the text draws on. */
      source_class: 'user' | 'import' | 'assistant' | 'document' | 'tool' | 'unknown';
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
      /** Older memories that this one may contradict, unchanged since; absent if there are none. */
      may_replace?: string[] | undefined;
      review_reason: 'source' | 'flagged' | 'unsure' | 'all' | null;
      supersedes: {
        id: string;
        memory: string;
      } | null;
    }
  >;

  /**
   * Accepts a waiting memory, with another text if one is sent, or declines it; never also keeps
   * the project from storing the like again.
   *
   * @throws {ApiError} invalid, forbidden, not_found, conflict
   */
  reviewMemory(input: ReviewMemoryInput, options?: RequestOptions): Promise<ReviewMemoryOutput>;

  /**
   * Returns the owner of the key and its default organization and project.
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
   * Counts by day of the service what was added, changed and deleted, by category what was
   * added, the searches, and the tokens of the answers that were kept as recalls, as far as its
   * newest 100,000 changes go back.
   *
   * @throws {ApiError} invalid, not_found
   */
  getGrowth(input?: GetGrowthInput, options?: RequestOptions): Promise<GetGrowthOutput>;

  /**
   * Returns a short summary of the selected memories.
   *
   * @throws {ApiError} invalid, not_found
   */
  getSummary(input?: GetSummaryInput, options?: RequestOptions): Promise<GetSummaryOutput>;

  /**
   * Returns what the stored memories say about an entity, by topic.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProfile(input: GetProfileInput, options?: RequestOptions): Promise<Profile>;

  /**
   * Returns whether profiles are generated, and their shape.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProfileSettings(
    input?: GetProfileSettingsInput,
    options?: RequestOptions,
  ): Promise<ProfileSettings>;

  /**
   * Changes the settings that are sent and returns all of them.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  updateProfileSettings(
    input?: UpdateProfileSettingsInput,
    options?: RequestOptions,
  ): Promise<ProfileSettings>;

  /**
   * Regenerates the profile of one entity (trigger), or of some entities as a sample.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createProfileJob(
    input: CreateProfileJobInput,
    options?: RequestOptions,
  ): Promise<CreateProfileJobOutput>;

  /**
   * Returns the state and the profiles of a profile job.
   *
   * @throws {ApiError} invalid, not_found
   */
  getProfileJob(input: GetProfileJobInput, options?: RequestOptions): Promise<GetProfileJobOutput>;

  /**
   * Creates an API key of the calling account; its text is returned only once. It reaches no
   * more and lasts no longer than the key that creates it. The owner of the store may create
   * keys for others.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  createKey(input?: CreateKeyInput, options?: RequestOptions): Promise<CreateKeyOutput>;

  /**
   * Lists the keys of the calling account, newest first, without their texts; all keys of the
   * store to its owner.
   *
   * @throws {ApiError} invalid
   */
  listKeys(input?: ListKeysInput, options?: RequestOptions): Promise<ListKeysOutput>;

  /**
   * Ends a key that list_keys shows. It stops working within five seconds.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  revokeKey(input: RevokeKeyInput, options?: RequestOptions): Promise<RevokeKeyOutput>;

  /**
   * Answers the full ids of the records whose ids end in these digits: of more than two the
   * first and the last. The kind history is that of memories, deleted ones too.
   *
   * @throws {ApiError} invalid, not_found
   */
  resolveIds(input: ResolveIdsInput, options?: RequestOptions): Promise<ResolveIdsOutput>;

  /**
   * Lists the calls about a project, newest first: who, what, which records, when and with what
   * outcome. Only owners may read it; it is empty unless `audit` is on.
   *
   * @throws {ApiError} invalid, forbidden, not_found
   */
  listAudit(input?: ListAuditInput, options?: RequestOptions): Paged<ListAuditOutput, AuditEntry>;

  /**
   * Lists the models that search by meaning can use, with their size and quality, which one is
   * in use, and what a language model has spent today.
   *
   * @throws {ApiError} invalid, forbidden
   */
  listModels(input?: ListModelsInput, options?: RequestOptions): Promise<ListModelsOutput>;

  /**
   * Returns the options that this server runs with and where each is set. Secrets are masked.
   *
   * @throws {ApiError} invalid, forbidden
   */
  getConfiguration(
    input?: GetConfigurationInput,
    options?: RequestOptions,
  ): Promise<GetConfigurationOutput>;

  /**
   * Copies the store into a new file in the folder `backups` of the data folder, even while it
   * is in use.
   *
   * @throws {ApiError} invalid, forbidden, conflict
   */
  createBackup(input?: CreateBackupInput, options?: RequestOptions): Promise<CreateBackupOutput>;
}
