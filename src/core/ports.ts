import type { Caller, Contract, Output, Parsed } from '../contract/index.ts';
import type { Role } from '../contract/schemas/account.ts';
import type { Change, WriteResult } from '../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../contract/schemas/entity.ts';
import type { Event, EventStatus, EventType } from '../contract/schemas/event.ts';
import type { Filter } from '../contract/schemas/filter.ts';
import type { Message } from '../contract/schemas/message.ts';
import type { ProjectSettings } from '../contract/schemas/project.ts';
import type { Delivery, DeliveryStatus } from '../contract/schemas/webhook.ts';

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
  /** How many there are of each type. */
  count(project: Project): Promise<Partial<Record<EventType, number>>>;
  insertMany(events: readonly { project: Project; event: StoredEvent }[]): Promise<void>;
  /** Forgets settled events older than this, at most `limit` of them; answers how many. */
  deleteSettledBefore(instant: Instant, limit: number): Promise<number>;
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

/** A person. Invited ones have an account, and no key yet. `number` is what published shapes show. */
export type Account = {
  account_id: string;
  number: number;
  email: string;
  username: string;
  created_at: Instant;
};

export type AccountTable = {
  find(account_id: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  insert(account: Omit<Account, 'number'>): Promise<Account>;
  /** The account that the store was made with: the local user's own. */
  getFirst(): Promise<Account>;
};

export type StoredOrganization = {
  number: number;
  org_id: string;
  name: string;
  description: string;
  address: string;
  contact_email: string;
  phone_number: string;
  website: string;
  owner_id: string;
  created_at: Instant;
  updated_at: Instant;
};

export type OrganizationTable = {
  find(org_id: string): Promise<StoredOrganization | null>;
  insert(organization: Omit<StoredOrganization, 'number'>): Promise<StoredOrganization>;
  /** Oldest first; null lists all. */
  list(member_id: string | null): Promise<StoredOrganization[]>;
  /** Deletes the organization; its projects and members must be gone before. */
  delete(org_id: string): Promise<void>;
};

export type StoredProject = Project & {
  name: string;
  description: string;
  settings: ProjectSettings;
  created_at: Instant;
  updated_at: Instant;
};

export type ProjectTable = {
  find(ref: { org_id?: string; project_id?: string }): Promise<StoredProject | null>;
  /** Throws `conflict` when the id is taken. */
  insert(project: Omit<StoredProject, 'key'>): Promise<StoredProject>;
  /** Oldest first; the oldest is the organization's default. */
  list(org_id: string): Promise<StoredProject[]>;
  update(
    project: Project,
    patch: Partial<Pick<StoredProject, 'name' | 'description' | 'settings'>> & {
      updated_at: Instant;
    },
  ): Promise<void>;
  /** Deletes the project with everything in every table that is keyed by it. */
  delete(project: Project): Promise<void>;
};

/** A place in an organization, or in one project of it. */
export type Place = { org_id: string; project_key: number | null };
export type StoredMember = Account & { role: Role };

export type MemberTable = {
  /** The account's own role in exactly this place; null when it has none there. */
  findRole(place: Place, account_id: string): Promise<Role | null>;
  list(place: Place): Promise<StoredMember[]>;
  put(place: Place, member: { account_id: string; role: Role; now: Instant }): Promise<void>;
  /** Removes one member, from the organization's projects too when the place is an organization. */
  delete(place: Place, account_id: string): Promise<void>;
  deleteAll(place: Place): Promise<void>;
  /** Keys of the projects in which the account has a place of its own, and their organizations. */
  listPlaces(account_id: string): Promise<Place[]>;
};

/** A credential as it is kept: never the key itself, only the SHA-256 of it. */
export type StoredKey = {
  key_id: string;
  account_id: string;
  name: string;
  /** The beginning of the key, for people to know it by. */
  prefix: string;
  hash: string;
  org_id: string | null;
  project_id: string | null;
  read_only: boolean;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_at: Instant | null;
  created_at: Instant;
};

export type KeyTable = {
  findByHash(hash: string): Promise<StoredKey | null>;
  insert(key: StoredKey): Promise<void>;
  /** Newest first. */
  list(): Promise<StoredKey[]>;
  /** False when there is no such key. */
  revoke(key_id: string, now: Instant): Promise<boolean>;
  touch(key_ids: readonly string[], now: Instant): Promise<void>;
};

export type StoredWebhook = {
  webhook_id: string;
  name: string;
  url: string;
  /** As they were sent. */
  event_types: string[];
  is_active: boolean;
  disabled_reason: string | null;
  secret: string;
  /** Since when every delivery has failed; null while deliveries arrive. */
  failing_since: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

export type WebhookTable = {
  /** Wherever it is: the caller then checks the project. */
  locate(webhook_id: string): Promise<{ project: Project; webhook: StoredWebhook } | null>;
  insert(project: Project, webhook: StoredWebhook): Promise<void>;
  list(project: Project): Promise<StoredWebhook[]>;
  update(
    project: Project,
    webhook_id: string,
    patch: Partial<Omit<StoredWebhook, 'webhook_id' | 'created_at'>>,
  ): Promise<void>;
  /** Deletes the webhook and its deliveries. */
  delete(project: Project, webhook_id: string): Promise<void>;
};

/** A notification in the outbox, written in the transaction of the change it tells of. */
export type StoredDelivery = Delivery & {
  /** The body as it is signed and sent, the same at every attempt. */
  body: string;
};

export type ClaimedDelivery = StoredDelivery & { project: Project; lease_owner: string };

export type DeliveryTable = {
  insert(project: Project, deliveries: readonly StoredDelivery[]): Promise<void>;
  /**
   * Claims up to `limit` deliveries that are due, none of the webhooks that are `busy`. Of one
   * webhook and memory only the oldest pending one is ever claimed, so that their order is kept.
   */
  claim(lease: {
    owner: string;
    now: Instant;
    until: Instant;
    limit: number;
    busy?: readonly string[];
  }): Promise<ClaimedDelivery[]>;
  /** Records an attempt and ends the claim; false when the lease was lost. */
  settle(
    delivery: ClaimedDelivery,
    outcome: {
      status: DeliveryStatus;
      response_status: number | null;
      error: string | null;
      next_attempt_at: Instant | null;
      delivered_at: Instant | null;
    },
  ): Promise<boolean>;
  /** Newest first. */
  list(
    project: Project,
    query: { webhook_id: string; page: number; page_size: number },
  ): Promise<{ results: Delivery[]; total: number }>;
  /**
   * Drops what still waits and concerns memories that carry this entity's id, or did so when they
   * were there, and what was sent of them. The history tells which: it must be there still.
   */
  deleteByEntity(project: Project, type: EntityType, id: string): Promise<void>;
  /** Forgets settled deliveries older than this. */
  deleteSettledBefore(instant: Instant): Promise<number>;
};

export type StoredExport = EntityIds & {
  id: string;
  schema: Record<string, unknown>;
  filters: Record<string, unknown> | null;
  instructions: string | null;
  status: EventStatus;
  data: unknown;
  error: string | null;
  created_at: Instant;
  completed_at: Instant | null;
};

export type ExportTable = {
  find(project: Project, id: string): Promise<StoredExport | null>;
  /** The newest one made for these entity ids and this filter. */
  findLatest(
    project: Project,
    query: Partial<EntityIds> & { filters?: Record<string, unknown> },
  ): Promise<StoredExport | null>;
  insert(project: Project, record: StoredExport): Promise<void>;
  update(
    project: Project,
    id: string,
    patch: Partial<Pick<StoredExport, 'status' | 'data' | 'error' | 'completed_at'>>,
  ): Promise<void>;
  /** Erases the exports that were made for this entity. */
  deleteByEntity(project: Project, type: EntityType, id: string): Promise<void>;
};

/** JSON documents of a project by kind and id: profile settings, profiles and their jobs. */
export type DocumentTable = {
  find<T>(project: Project, kind: DocumentKind, id: string): Promise<T | null>;
  put(
    project: Project,
    document: { kind: DocumentKind; id: string; value: unknown; now: Instant },
  ): Promise<void>;
  delete(project: Project, kind: DocumentKind, id: string): Promise<void>;
};
export type DocumentKind = 'profile_settings' | 'profile' | 'profile_job';

/** The first answer to an `Idempotency-Key`, kept for a day. */
export type StoredAnswer = {
  /** Key of the answer: caller and header together. */
  id: string;
  /** Fingerprint of method, path and body. */
  request: string;
  /** Null while the first request is still being worked on. */
  status: number | null;
  headers: Record<string, string>;
  body: string;
  created_at: Instant;
};

export type AnswerTable = {
  /** Reserves the id for this request; answers who came before when it is taken. */
  reserve(answer: StoredAnswer): Promise<StoredAnswer | null>;
  complete(id: string, answer: Pick<StoredAnswer, 'status' | 'headers' | 'body'>): Promise<void>;
  release(id: string): Promise<void>;
  deleteBefore(instant: Instant): Promise<number>;
};

/** A queued unit of work. `attempts` counts the claims, this one included. */
export type Job = {
  id: string;
  kind: 'process_event' | 'build_export';
  project: Project;
  /** What the job works on: the event's or the export's id. */
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
  /** How many jobs there are, waiting or at hand. */
  count(): Promise<number>;
  /** Removes queued work on events of this entity. */
  deleteByEntity(project: Project, type: EntityType, id: string): Promise<void>;
};

/** Where a walk over a table stands: rows after this position, at most `limit` of them. */
export type Walk = { after: number; limit: number };

/** What export and import need: all rows in the order in which they came, and rows put back. */
export type ArchiveTable = {
  memories(project: Project, selection: Selection, walk: Walk): Promise<StoredMemory[]>;
  entities(project: Project, walk: Walk): Promise<(StoredEntity & { position: number })[]>;
  /** History of memories that are gone, of these entities where some are named. */
  orphans(
    project: Project,
    ids: Partial<EntityIds>,
    walk: Walk,
  ): Promise<(StoredChange & { position: number })[]>;
  /** Oldest first. */
  historyOf(project: Project, memory_ids: readonly string[]): Promise<StoredChange[]>;
  feedbackOf(project: Project, memory_ids: readonly string[]): Promise<StoredFeedback[]>;
  /** Those of the ids under which another project holds a memory. */
  findElsewhere(project: Project, memory_ids: readonly string[]): Promise<string[]>;
  /** Makes or replaces entities; how many memories they have stays as it is. */
  putEntities(
    project: Project,
    entities: readonly Omit<StoredEntity, 'total_memories'>[],
  ): Promise<void>;
  /** Inserts memories of an earlier time; their entities are as old as that. */
  restoreMemories(project: Project, memories: readonly NewMemory[]): Promise<void>;
};

export type Tables = {
  accounts: AccountTable;
  organizations: OrganizationTable;
  projects: ProjectTable;
  members: MemberTable;
  keys: KeyTable;
  webhooks: WebhookTable;
  deliveries: DeliveryTable;
  exports: ExportTable;
  documents: DocumentTable;
  answers: AnswerTable;
  memories: MemoryTable;
  entities: EntityTable;
  history: HistoryTable;
  feedback: FeedbackTable;
  events: EventTable;
  jobs: JobTable;
  archive: ArchiveTable;
};

/** Everything that is kept. Reads see the last commit; writes happen inside `transaction` only. */
export type Store = Tables & {
  /** Runs on one snapshot, all or nothing. Short, and never around a model call. */
  transaction<T>(run: (tables: Tables) => Promise<T>): Promise<T>;
  /** True when the store answers; for readiness checks. */
  ping(): Promise<boolean>;
  /** Finds the project, or makes it and its organization, owned by the first account. */
  ensureProject(ref: { org_id: string; project_id: string }, now: Instant): Promise<Project>;
  /** Copies the whole store into a new file while it is in use. Throws `conflict` when it exists. */
  backup(file: string): Promise<void>;
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

export type HttpAnswer = { status: number };

/** Sends webhook deliveries, to addresses that the configuration allows. */
export type Sender = {
  /** What forbids an address, as far as its own words tell: the field's problem; else null. */
  problemOf(url: string): string | null;
  /**
   * Sends one. A redirect is an answer; throws `unavailable` when none came, in words for the
   * delivery log.
   */
  post(request: {
    url: string;
    headers: Record<string, string>;
    body: string;
    signal?: AbortSignal;
  }): Promise<HttpAnswer>;
};

/** Reads from another instance over HTTP. */
export type Remote = {
  /**
   * The answer as JSON. Throws `not_found`, `unauthorized`, `forbidden` or `invalid` as the instance
   * answers, and `unavailable` where it does not, after some tries.
   */
  request(call: {
    method: 'GET' | 'POST';
    path: string;
    query?: Record<string, string>;
    body?: unknown;
  }): Promise<unknown>;
};

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void;

/** What core needs of the outside. */
export type Deps = {
  store: Store;
  extractor: Extractor;
  clock: Clock;
  ids: Ids;
  /** Random bytes for keys and secrets. */
  random: (bytes: number) => Uint8Array;
  sender: Sender;
  log: Log;
  /** Tells the workers of this process that there is work. */
  wake: () => void;
  /** Records an event that nothing waits for (a search); it is written later, with others. */
  recordLater: (project: Project, event: StoredEvent) => void;
};

/** One call in progress: who calls, and how to stop it. */
export type AccountCall = { caller: Caller; signal?: AbortSignal };

/** A call about an organization that the caller may see, in the role it has there. */
export type OrganizationCall = AccountCall & { organization: StoredOrganization; role: Role };

/** A call in a project that the caller may see, in the role it has there. */
export type Call = AccountCall & { project: StoredProject; role: Role };

/** What an operation is about decides what its handler is given. */
export type CallOf<N extends keyof Contract> = Contract[N] extends { subject?: infer S }
  ? S extends 'organization'
    ? OrganizationCall
    : S extends 'account'
      ? AccountCall
      : Call
  : Call;

export type Handlers = {
  [N in keyof Contract]: (input: Parsed<N>, call: CallOf<N>) => Promise<Output<N>>;
};

export type { WriteResult };
