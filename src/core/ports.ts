import type { Caller, Contract, Output, Parsed } from '../contract/index.ts';
import type { Role } from '../contract/schemas/account.ts';
import type { WriteResult } from '../contract/schemas/change.ts';
import type { Endings } from './jobs/endings.ts';
import type { ArchiveTable } from './ports/archive.ts';
import type { DocumentTable, ExportTable } from './ports/documents.ts';
import type { AnalysisTable, LanguageTable } from './ports/languages.ts';
import type { EntityTable, FeedbackTable, HistoryTable, MemoryTable } from './ports/memories.ts';
import type { Meaning, Reranker, TokenTable, Writer } from './ports/models.ts';
import type { RelationTable } from './ports/relations.ts';
import type {
  AccountTable,
  KeyTable,
  MemberTable,
  OrganizationTable,
  Project,
  ProjectTable,
  StoredOrganization,
  StoredProject,
} from './ports/tenants.ts';
import type { Instant } from './ports/time.ts';
import type { Understander } from './ports/understanding.ts';
import type { VectorTable } from './ports/vectors.ts';
import type { DeliveryTable, WebhookTable } from './ports/webhooks.ts';
import type {
  AnswerTable,
  Carried,
  EventTable,
  JobTable,
  PartTable,
  StoredEvent,
} from './ports/work.ts';

// One door to all ports, so that storage and providers import nothing else of core.
export type { ArchiveTable, Walk } from './ports/archive.ts';
export type {
  DocumentKind,
  DocumentTable,
  ExportScope,
  ExportTable,
  StoredExport,
} from './ports/documents.ts';
export type { AnalysisTable, LanguageTable, Outdated } from './ports/languages.ts';
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
  RunPlace,
  Selection,
  ShortIdMatch,
  StoredChange,
  StoredEntity,
  StoredFeedback,
  StoredMemory,
  Term,
  Times,
} from './ports/memories.ts';
export type {
  AskedMeaning,
  Embedder,
  Meaning,
  ModelCost,
  Reranker,
  Telling,
  TokenTable,
  Unasked,
  Writer,
} from './ports/models.ts';
export type { RelationTable } from './ports/relations.ts';
export type {
  Account,
  AccountTable,
  KeyTable,
  MemberTable,
  OrganizationTable,
  Place,
  Project,
  ProjectTable,
  StoredKey,
  StoredMember,
  StoredOrganization,
  StoredProject,
} from './ports/tenants.ts';
export type { Instant } from './ports/time.ts';
export type {
  Conversation,
  DateReader,
  Decision,
  KnownMemory,
  Occurrence,
  StatedRelation,
  Understander,
  Understanding,
  Wishes,
} from './ports/understanding.ts';
export type {
  Embedded,
  EmbeddingProgress,
  Gathered,
  Nearest,
  Neighbour,
  Unembedded,
  VectorScale,
  VectorSpace,
  VectorTable,
} from './ports/vectors.ts';
export type {
  ClaimedDelivery,
  DeliveryTable,
  StoredDelivery,
  StoredWebhook,
  WebhookTable,
} from './ports/webhooks.ts';
export type {
  AnswerTable,
  Carried,
  EventPatch,
  EventTable,
  Job,
  JobPart,
  JobTable,
  PartTable,
  PlannedDecision,
  StoredAnswer,
  StoredEvent,
} from './ports/work.ts';

export type Clock = { now(): Instant };

/** New ids: UUIDs that sort by time of creation (version 7), so that indexes grow at their end. */
export type Ids = { next(): string };

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
  relations: RelationTable;
  events: EventTable;
  jobs: JobTable;
  parts: PartTable;
  archive: ArchiveTable;
  languages: LanguageTable;
  analysis: AnalysisTable;
  tokens: TokenTable;
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
  carryOut<T>(request: Carried, run: () => Promise<T>): Promise<T>;
  /** Differs from an earlier answer when anybody has committed anything since. */
  version(): Promise<number>;
  /** Whether the store answers; for readiness checks. */
  ping(): Promise<Readiness>;
  /** Finds the project, or makes it and its organization, owned by the first account. */
  ensureProject(ref: { org_id: string; project_id: string }, now: Instant): Promise<Project>;
  /** False where the database lacks what vectors need: then words alone find memories. */
  searchesVectors: boolean;
  /** Has this called when another process has left work for any; it may be called for nothing. */
  onWork(wake: () => void): void;
  /** Copies the whole store into a new file while in use. Throws `conflict` when it exists. */
  backup(file: string): Promise<void>;
  /** A random secret made with the store and shared by all processes on it; 64 hex digits. */
  secret(): Promise<string>;
  close(): Promise<void>;
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

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void;

/** What becomes of keys, passwords and card numbers in what is to be stored. */
export type SecretPolicy = 'redact' | 'refuse' | 'keep';

/** What core needs of the outside. */
export type Deps = {
  store: Store;
  understander: Understander;
  /** `redact` where nothing is said. */
  secrets?: SecretPolicy;
  /** False where nothing of a turn is kept but the memories that it became; true by default. */
  keep_source?: boolean;
  /** Where an embedding model is configured. */
  meaning?: Meaning;
  /** Where a reranker is configured. */
  reranker?: Reranker;
  /** Where a language model is configured. */
  writer?: Writer;
  clock: Clock;
  ids: Ids;
  /** Random bytes for keys and secrets. */
  random: (bytes: number) => Uint8Array;
  sender: Sender;
  log: Log;
  /** Tells the workers of this process that there is work. */
  wake: () => void;
  /** What the workers of this process have ended. */
  endings: Endings;
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
