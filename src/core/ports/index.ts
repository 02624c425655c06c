import type { WriteResult } from '../../contract/schemas/change.ts';
import type { AuditLog } from './audit.ts';
import type { Extractor, OrderReader, Resembler, VerbatimDater } from './extraction.ts';
import type { Installation } from './installation.ts';
import type { QueryEmbedder, Reranker, TextWriter } from './models.ts';
import type { StoredRecall } from './recalls.ts';
import type { Store } from './store.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';
import type { WebhookSender } from './webhooks.ts';
import type { CompletionSignal, StoredEvent } from './work.ts';

export type { Bm25Weights } from '../bm25.ts';
// The single entry to all ports: storage and providers import nothing else from core.
export type { ArchiveTable, RowRange } from './archive.ts';
export type {
  AuditChain,
  AuditEntity,
  AuditedCall,
  AuditLog,
  AuditTable,
  StoredAuditEntry,
} from './audit.ts';
export type { AccountCall, CallOf, Handlers, OrganizationCall, ProjectCall } from './calls.ts';
export type {
  DocumentKind,
  DocumentTable,
  ExportScope,
  ExportTable,
  StoredExport,
} from './documents.ts';
export type { ErasedCopies, ErasureSubject, ErasureTable, RowCounts } from './erasure.ts';
export type {
  Conversation,
  DateReader,
  Decision,
  ExtractionModels,
  ExtractionResult,
  ExtractionSettings,
  Extractor,
  LinearModel,
  NearMemory,
  Occurrence,
  OrderModels,
  OrderReader,
  RelatedMemory,
  Resembler,
  Resembling,
  StatedRelation,
  Validity,
  VerbatimDater,
} from './extraction.ts';
export type { DayCount, HistoryTable, SourceOfText, StoredHistoryEntry } from './history.ts';
export type { Installation } from './installation.ts';
export type { LanguageTable, OutdatedTerms, TermRefreshTable } from './languages.ts';
export type {
  Candidate,
  CandidatePart,
  CandidateQuery,
  EntityTable,
  FeedbackTable,
  IndexTerms,
  MemoryPatch,
  MemoryTable,
  NewMemory,
  QueryTerm,
  RunPlace,
  Selection,
  StoredEntity,
  StoredFeedback,
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
export type {
  AskedQuestion,
  RecalledHit,
  RecallQuery,
  RecallTable,
  StoredRecall,
} from './recalls.ts';
export type { RelationTable } from './relations.ts';
export type {
  FoundSession,
  KeyRights,
  LinkCaller,
  SessionOwner,
  SessionTable,
  StoredSession,
} from './sessions.ts';
export type { ShortIdMatch, ShortIdTable } from './short-ids.ts';
export type { Readiness, Store, Tables } from './store.ts';
export type {
  Account,
  AccountTable,
  KeyTable,
  MemberTable,
  NewMember,
  OrganizationTable,
  ProjectName,
  ProjectRef,
  ProjectTable,
  StoredInvitation,
  StoredKey,
  StoredMember,
  StoredOrganization,
  StoredProject,
  TenantRef,
} from './tenants.ts';
export type { DayStart, Instant, RecordedChange } from './time.ts';
export type {
  EmbeddingModel,
  EmbeddingProgress,
  InlineEmbedder,
  MemoryEmbedding,
  NearestVectors,
  PreloadedVectors,
  UnembeddedMemory,
  VectorNeighbour,
  VectorScale,
  VectorTable,
} from './vectors.ts';
export type {
  MemoryVersion,
  PastCandidates,
  PastTime,
  Superseded,
  VersionTable,
  VersionTimes,
} from './versions.ts';
export type {
  ClaimedDelivery,
  DeliveryTable,
  StoredDelivery,
  StoredWebhook,
  WebhookSender,
  WebhookTable,
} from './webhooks.ts';
export type {
  CompletionSignal,
  EventPatch,
  EventTable,
  IdempotencyKeyTable,
  Job,
  JobStep,
  JobStepTable,
  JobTable,
  PlannedDecision,
  StoredEvent,
} from './work.ts';

export type Clock = { now(): Instant };

/** Creates ids: UUIDs of version 7, which sort by time, so that indexes grow at their end. */
export type IdGenerator = { next(): string };

/** Reads from another instance over HTTP. */
export type RemoteInstance = {
  /**
   * The response as JSON. Throws `not_found`, `unauthorized`, `forbidden` or `invalid` as the
   * instance responds, and `unavailable` if it does not respond after some retries.
   */
  request(call: {
    method: 'GET' | 'POST';
    path: string;
    query?: Record<string, string>;
    body?: unknown;
  }): Promise<unknown>;
};

export type Logger = (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void;

/** How to treat keys, passwords and card numbers in texts to store. */
export type SecretPolicy = 'redact' | 'refuse' | 'keep';

/** The dependencies of core. */
export type Deps = OrderReader & {
  store: Store;
  extractor: Extractor;
  /** `redact` by default. */
  secrets?: SecretPolicy;
  /** False to keep nothing of a message except its memories; true by default. */
  keep_source?: boolean;
  /** In whose days and hours dates of texts are meant; UTC by default. */
  timezone?: string;
  /** The date that a text names which is stored as it is; null without one. */
  dateOf: VerbatimDater;
  /** Compares a text that is stored as it is with what is stored. */
  resemble: Resembler;
  /** Present if an embedding model is configured. */
  queryEmbedder?: QueryEmbedder;
  /** Present if a reranker is configured. */
  reranker?: Reranker;
  /** Present if a language model is configured. */
  writer?: TextWriter;
  /** For how many days deleted memories can come back, and versions are kept (0: forever). */
  versions_kept: { undo_days: number; history_days: number };
  clock: Clock;
  ids: IdGenerator;
  /** Random bytes for keys and secrets. */
  random: (bytes: number) => Uint8Array;
  sender: WebhookSender;
  log: Logger;
  /** Wakes the workers of this process for new work. */
  wake: () => void;
  /** Present in the program; a test of the engine has none. */
  installation?: Installation;
  /** Present if calls are audited. */
  audit?: AuditLog;
  /** Signals events that workers of this process have completed. */
  completions: CompletionSignal;
  /**
   * Records a read, such as a search, and what is kept of it. It is written later, in a batch, and
   * `event` makes then what is written, so that no answer waits for that.
   */
  recordEventLater: (project: ProjectRef, event: () => StoredEvent, kept?: StoredRecall) => void;
  /** Writes the events that were recorded for later; absent if they are written at once. */
  flushEvents?: () => Promise<void>;
};

export type { WriteResult };
