import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Role } from '../../contract/schemas/member.ts';
import type { CallOptions, Contract, Output, Parsed } from '../../contract.ts';
import type { ArchiveTable } from './archive.ts';
import type { DocumentTable, ExportTable } from './documents.ts';
import type { Extractor } from './extraction.ts';
import type { LanguageTable, TermRefreshTable } from './languages.ts';
import type { EntityTable, FeedbackTable, HistoryTable, MemoryTable } from './memories.ts';
import type { QueryEmbedder, Reranker, TextWriter, TokenUsageTable } from './models.ts';
import type { RelationTable } from './relations.ts';
import type {
  AccountTable,
  KeyTable,
  MemberTable,
  OrganizationTable,
  ProjectRef,
  ProjectTable,
  StoredOrganization,
  StoredProject,
} from './tenants.ts';
import type { Instant } from './time.ts';
import type { VectorTable } from './vectors.ts';
import type { DeliveryTable, WebhookTable } from './webhooks.ts';
import type {
  CompletionSignal,
  EventTable,
  IdempotencyKeyTable,
  IdempotentRequest,
  JobStepTable,
  JobTable,
  StoredEvent,
} from './work.ts';

// One door to all ports, so that storage and providers import nothing else of core.
export type { ArchiveTable, RowRange } from './archive.ts';
export type {
  DocumentKind,
  DocumentTable,
  ExportScope,
  ExportTable,
  StoredExport,
} from './documents.ts';
export type {
  Conversation,
  DateReader,
  Decision,
  ExtractionResult,
  ExtractionSettings,
  Extractor,
  Occurrence,
  RelatedMemory,
  StatedRelation,
} from './extraction.ts';
export type { LanguageTable, OutdatedTerms, TermRefreshTable } from './languages.ts';
export type {
  Candidate,
  EntityTable,
  FeedbackTable,
  HistoryTable,
  IndexTerms,
  MemoryPatch,
  MemoryTable,
  NewMemory,
  OwnerIds,
  QueryTerm,
  RunPlace,
  Selection,
  ShortIdMatch,
  StoredEntity,
  StoredFeedback,
  StoredHistoryEntry,
  StoredMemory,
  TimeRange,
} from './memories.ts';
export type {
  Embedder,
  EmbeddingUnavailable,
  ModelCost,
  QueryEmbedder,
  QueryEmbedding,
  Reranker,
  TextWriter,
  TokenUsageTable,
  WriterFact,
} from './models.ts';
export type { RelationTable } from './relations.ts';
export type {
  Account,
  AccountTable,
  KeyTable,
  MemberTable,
  OrganizationTable,
  ProjectRef,
  ProjectTable,
  StoredKey,
  StoredMember,
  StoredOrganization,
  StoredProject,
  TenantRef,
} from './tenants.ts';
export type { Instant } from './time.ts';
export type {
  EmbeddingModel,
  EmbeddingProgress,
  MemoryEmbedding,
  NearestVectors,
  PreloadedVectors,
  UnembeddedMemory,
  VectorNeighbour,
  VectorScale,
  VectorTable,
} from './vectors.ts';
export type {
  ClaimedDelivery,
  DeliveryTable,
  StoredDelivery,
  StoredWebhook,
  WebhookTable,
} from './webhooks.ts';
export type {
  CompletionSignal,
  EventPatch,
  EventTable,
  IdempotencyKeyTable,
  IdempotentAnswer,
  IdempotentRequest,
  Job,
  JobStep,
  JobStepTable,
  JobTable,
  PlannedDecision,
  StoredEvent,
} from './work.ts';

export type Clock = { now(): Instant };

/** New ids: UUIDs that sort by time of creation (version 7), so that indexes grow at their end. */
export type IdGenerator = { next(): string };

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
  idempotencyKeys: IdempotencyKeyTable;
  memories: MemoryTable;
  entities: EntityTable;
  history: HistoryTable;
  feedback: FeedbackTable;
  relations: RelationTable;
  events: EventTable;
  jobs: JobTable;
  jobSteps: JobStepTable;
  archive: ArchiveTable;
  languages: LanguageTable;
  analysis: TermRefreshTable;
  tokens: TokenUsageTable;
  vectors: VectorTable;
};

/** `replaced` is a store that answers from a file which is no longer in its place. */
export type Readiness = 'ready' | 'away' | 'replaced';

/** Everything that is kept. Reads see the last commit; writes happen inside `transaction` only. */
export type Store = Tables & {
  /** Runs on one snapshot, all or nothing. Short, and never around a model call. */
  transaction<T>(run: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Runs a request whose answer is reserved. Its first transaction stores what is answered
   * meanwhile: so it is known ever after whether the request was carried out, whoever dies.
   */
  runIdempotent<T>(request: IdempotentRequest, run: () => Promise<T>): Promise<T>;
  /** Differs from an earlier answer when anybody has committed anything since. */
  version(): Promise<number>;
  /** Whether the store answers; for readiness checks. */
  ping(): Promise<Readiness>;
  /** Finds the project, or makes it and its organization, owned by the first account. */
  ensureProject(ref: { org_id: string; project_id: string }, now: Instant): Promise<ProjectRef>;
  /** False where the database lacks what vectors need: then words alone find memories. */
  supportsVectors: boolean;
  /** Has this called when another process has left work for any; it may be called for nothing. */
  onWork(wake: () => void): void;
  /** Copies the whole store into a new file while in use. Throws `conflict` when it exists. */
  backup(file: string): Promise<void>;
  /** A random secret made with the store and shared by all processes on it; 64 hex digits. */
  secret(): Promise<string>;
  close(): Promise<void>;
};

export type WebhookResponse = { status: number };

/** Sends webhook deliveries, to addresses that the configuration allows. */
export type WebhookSender = {
  /** What forbids an address, as far as its own words tell: the field's problem; else null. */
  urlProblem(url: string): string | null;
  /**
   * Sends one. A redirect is an answer; throws `unavailable` when none came, in words for the
   * delivery log.
   */
  post(request: {
    url: string;
    headers: Record<string, string>;
    body: string;
    signal?: AbortSignal;
  }): Promise<WebhookResponse>;
};

/** Reads from another instance over HTTP. */
export type RemoteInstance = {
  /**
   * The answer as JSON. Throws `not_found`, `unauthorized`, `forbidden` or `invalid` as the
   * instance answers, and `unavailable` where it does not, after some tries.
   */
  request(call: {
    method: 'GET' | 'POST';
    path: string;
    query?: Record<string, string>;
    body?: unknown;
  }): Promise<unknown>;
};

export type Logger = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void;

/** What becomes of keys, passwords and card numbers in what is to be stored. */
export type SecretPolicy = 'redact' | 'refuse' | 'keep';

/** What core needs of the outside. */
export type Deps = {
  store: Store;
  extractor: Extractor;
  /** `redact` where nothing is said. */
  secrets?: SecretPolicy;
  /** False where nothing of a turn is kept but the memories that it became; true by default. */
  keep_source?: boolean;
  /** Where an embedding model is configured. */
  queryEmbedder?: QueryEmbedder;
  /** Where a reranker is configured. */
  reranker?: Reranker;
  /** Where a language model is configured. */
  writer?: TextWriter;
  clock: Clock;
  ids: IdGenerator;
  /** Random bytes for keys and secrets. */
  random: (bytes: number) => Uint8Array;
  sender: WebhookSender;
  log: Logger;
  /** Tells the workers of this process that there is work. */
  wake: () => void;
  /** What the workers of this process have ended. */
  completions: CompletionSignal;
  /** Records an event that nothing waits for (a search); it is written later, with others. */
  recordEventLater: (project: ProjectRef, event: StoredEvent) => void;
};

/** One call in progress: who calls, how to stop it, and how long a queued write is waited for. */
export type AccountCall = Pick<CallOptions, 'caller' | 'signal' | 'wait_ms'>;

/** A call about an organization that the caller may see, in the role it has there. */
export type OrganizationCall = AccountCall & { organization: StoredOrganization; role: Role };

/** A call in a project that the caller may see, in the role it has there. */
export type ProjectCall = AccountCall & { project: StoredProject; role: Role };

/** What an operation is about decides what its handler is given. */
export type CallOf<N extends keyof Contract> = Contract[N] extends { subject?: infer S }
  ? S extends 'organization'
    ? OrganizationCall
    : S extends 'account'
      ? AccountCall
      : ProjectCall
  : ProjectCall;

export type Handlers = {
  [N in keyof Contract]: (input: Parsed<N>, call: CallOf<N>) => Promise<Output<N>>;
};

export type { WriteResult };
