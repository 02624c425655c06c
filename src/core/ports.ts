import type { Caller, Contract, Output, Parsed } from '../contract/index.ts';
import type { Change, WriteResult } from '../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../contract/schemas/entity.ts';
import type { Event, EventStatus, EventType } from '../contract/schemas/event.ts';
import type { Filter } from '../contract/schemas/filter.ts';
import type { Message } from '../contract/schemas/message.ts';

/** The time in UTC as ISO 8601 with milliseconds: `2026-01-31T12:00:00.000Z`. */
export type Instant = string;

export type Clock = { now(): Instant };

/** New ids: UUIDs that sort by time of creation (version 7), so that indexes grow at their end. */
export type Ids = { next(): string };

/** A project as a request reaches it; `key` is the store's own short number for it. */
export type Project = { key: number; org_id: string; project_id: string };

/** A memory as the store keeps it. `position` grows with each insert and breaks ties of time. */
export type StoredMemory = EntityIds & {
  position: number;
  id: string;
  memory: string;
  hash: string;
  metadata: Record<string, unknown>;
  categories: string[];
  immutable: boolean;
  expiration_date: string | null;
  created_at: Instant;
  updated_at: Instant;
  replaced_by: string | null;
  /** Role and name of whoever stated the fact, where known. */
  role: string | null;
  speaker: string | null;
};

/**
 * Words under which a memory is found: index terms separated by spaces, each of letters, digits
 * and characters outside ASCII only. `analyze` makes them; the store only matches them.
 */
export type IndexTerms = { terms: string; speaker_terms: string };

export type NewMemory = Omit<StoredMemory, 'position'> & IndexTerms;

export type MemoryPatch = Partial<
  Pick<
    NewMemory,
    | 'memory'
    | 'hash'
    | 'metadata'
    | 'categories'
    | 'expiration_date'
    | 'created_at'
    | 'replaced_by'
    | 'terms'
  >
> & { updated_at: Instant };

/** Which memories a list, a search or a delete concerns; all parts are ANDed. */
export type Selection = {
  filter: Filter;
  /** Hide memories that were merged into another. */
  latest_only: boolean;
  /** Hide memories whose expiration_date lies before this date; null hides none. */
  not_expired_on: string | null;
};

/** A memory that shares a term with the query: what ranking needs of it, not the memory itself. */
export type Candidate = Pick<StoredMemory, 'id' | 'position'> & IndexTerms;

export type MemoryTable = {
  find(project: Project, id: string): Promise<StoredMemory | null>;
  /** Those of the ids that exist, in no particular order. */
  findMany(project: Project, ids: readonly string[]): Promise<StoredMemory[]>;
  /** The memory with this hash and exactly these four entity ids that lasts longest, unmerged. */
  findSame(project: Project, ids: EntityIds, hash: string): Promise<StoredMemory | null>;
  /** Inserts memories and counts them to their entities, which are made where missing. */
  insert(project: Project, memories: readonly NewMemory[]): Promise<void>;
  update(project: Project, id: string, patch: MemoryPatch): Promise<void>;
  /** Deletes by id and counts them off their entities; history is the caller's to write. */
  delete(project: Project, ids: readonly string[]): Promise<void>;
  /** Newest first; `total` counts all that match. */
  list(
    project: Project,
    selection: Selection,
    page: { page: number; page_size: number },
  ): Promise<{ results: StoredMemory[]; total: number }>;
  /** The first `limit` that match, oldest first. */
  take(project: Project, selection: Selection, limit: number): Promise<StoredMemory[]>;
  /** At most `limit` memories of the selection that hold one of the terms, the likeliest ones. */
  candidates(
    project: Project,
    selection: Selection,
    query: { terms: readonly string[]; limit: number },
  ): Promise<Candidate[]>;
  /** How many memories the project holds, or the smallest of the given entities. */
  size(project: Project, ids: Partial<EntityIds>): Promise<number>;
};

export type StoredEntity = {
  id: string;
  type: EntityType;
  name: string;
  metadata: Record<string, unknown>;
  total_memories: number;
  created_at: Instant;
  updated_at: Instant;
};

export type EntityTable = {
  find(project: Project, type: EntityType, id: string): Promise<StoredEntity | null>;
  list(
    project: Project,
    query: {
      type?: EntityType | undefined;
      id?: string | undefined;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEntity[]; totals: Record<EntityType, number> }>;
  delete(project: Project, type: EntityType, id: string): Promise<void>;
};

export type StoredChange = EntityIds & {
  id: string;
  memory_id: string;
  event: Change;
  input: Message[];
  old_memory: string | null;
  new_memory: string | null;
  metadata: Record<string, unknown> | null;
  categories: string[];
  created_at: Instant;
  updated_at: Instant;
};

export type HistoryTable = {
  insert(project: Project, entries: readonly StoredChange[]): Promise<void>;
  /** Oldest first. */
  list(project: Project, memory_id: string): Promise<StoredChange[]>;
  /** Erases the history of every memory that carries this entity id. */
  deleteByEntity(project: Project, type: EntityType, id: string): Promise<void>;
};

export type StoredFeedback = {
  id: string;
  memory_id: string;
  feedback: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null;
  feedback_reason: string | null;
  created_at: Instant;
};

export type FeedbackTable = {
  /** Stores a rating; a second one of the same memory replaces the first and keeps its id. */
  put(project: Project, feedback: StoredFeedback): Promise<StoredFeedback>;
  deleteByMemories(project: Project, memory_ids: readonly string[]): Promise<void>;
};

export type StoredEvent = Event & EntityIds;

export type EventTable = {
  find(project: Project, id: string): Promise<StoredEvent | null>;
  insert(project: Project, event: StoredEvent): Promise<void>;
  update(project: Project, id: string, patch: EventPatch): Promise<void>;
  /** Newest first. */
  list(
    project: Project,
    query: {
      event_type?: EventType | undefined;
      status?: EventStatus | undefined;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEvent[]; total: number }>;
  /** Empties payload and results of every event of this entity, and settles those in progress. */
  redactByEntity(
    project: Project,
    entity: { type: EntityType; id: string },
    settle: EventPatch,
  ): Promise<void>;
};

export type EventPatch = Partial<
  Pick<
    StoredEvent,
    'status' | 'results' | 'error' | 'metadata' | 'started_at' | 'completed_at' | 'latency'
  >
> & { updated_at: Instant };

/** A queued unit of work. `attempts` counts the claims, this one included. */
export type Job = {
  id: string;
  kind: 'process_event';
  project: Project;
  /** What the job works on: the event's id. */
  subject_id: string;
  attempts: number;
  lease_owner: string;
};

export type JobTable = {
  enqueue(
    project: Project,
    job: { id: string; kind: Job['kind']; subject_id: string; run_at: Instant },
  ): Promise<void>;
  /** Claims the oldest job that is due and under no living lease. */
  claim(lease: { owner: string; now: Instant; until: Instant }): Promise<Job | null>;
  /** True when the job still belongs to this claim; it is removed then. */
  finish(job: Job): Promise<boolean>;
  /** Gives the job back, to run again at `run_at`; false when the lease was lost. */
  release(job: Job, run_at: Instant): Promise<boolean>;
  /** Removes queued work on events of this entity. */
  deleteByEntity(project: Project, type: EntityType, id: string): Promise<void>;
};

export type Tables = {
  memories: MemoryTable;
  entities: EntityTable;
  history: HistoryTable;
  feedback: FeedbackTable;
  events: EventTable;
  jobs: JobTable;
};

/** Everything that is kept. Reads see the last commit; writes happen inside `transaction` only. */
export type Store = Tables & {
  /** Runs on one snapshot, all or nothing. Short, and never around a model call. */
  transaction<T>(run: (tables: Tables) => Promise<T>): Promise<T>;
  findProject(ref: { org_id?: string; project_id?: string }): Promise<Project | null>;
  /** Finds the project, or makes it and its organization. */
  ensureProject(ref: { org_id: string; project_id: string }, now: Instant): Promise<Project>;
  /** A random secret made with the store and shared by all processes on it; 64 hex digits. */
  secret(): Promise<string>;
  close(): Promise<void>;
};

/** A fact that an extractor found, with the message it came from. */
export type Fact = { text: string; source: Message };

/** Turns conversation messages into facts worth remembering; an empty list when there is none. */
export type Extractor = {
  extract(
    messages: readonly Message[],
    options: { includes?: string; excludes?: string; instructions?: string; signal?: AbortSignal },
  ): Promise<Fact[]>;
};

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void;

/** What core needs of the outside. */
export type Deps = {
  store: Store;
  extractor: Extractor;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Tells the worker of this process that there is work. */
  wake: () => void;
};

/** One call in progress: who, where, and how to stop it. */
export type Call = { project: Project; caller: Caller; signal?: AbortSignal };

export type Handlers = {
  [N in keyof Contract]: (input: Parsed<N>, call: Call) => Promise<Output<N>>;
};

export type { WriteResult };
