import type { IdempotentRequest } from '../../contract/http-binding.ts';
import type { ArchiveTable } from './archive.ts';
import type { AuditTable } from './audit.ts';
import type { DocumentTable, ExportTable } from './documents.ts';
import type { ErasureTable } from './erasure.ts';
import type { HistoryTable } from './history.ts';
import type { LanguageTable, TermRefreshTable } from './languages.ts';
import type { EntityTable, FeedbackTable, MemoryTable } from './memories.ts';
import type { TokenUsageTable } from './models.ts';
import type { RecallTable } from './recalls.ts';
import type { RelationTable } from './relations.ts';
import type { SessionTable } from './sessions.ts';
import type { ShortIdTable } from './short-ids.ts';
import type {
  AccountTable,
  KeyTable,
  MemberTable,
  OrganizationTable,
  ProjectRef,
  ProjectTable,
} from './tenants.ts';
import type { Instant } from './time.ts';
import type { InlineEmbedder, VectorTable } from './vectors.ts';
import type { VersionTable } from './versions.ts';
import type { DeliveryTable, WebhookTable } from './webhooks.ts';
import type { EventTable, IdempotencyKeyTable, JobStepTable, JobTable } from './work.ts';

export type Tables = {
  accounts: AccountTable;
  organizations: OrganizationTable;
  projects: ProjectTable;
  members: MemberTable;
  keys: KeyTable;
  sessions: SessionTable;
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
  erasure: ErasureTable;
  audit: AuditTable;
  languages: LanguageTable;
  analysis: TermRefreshTable;
  tokens: TokenUsageTable;
  vectors: VectorTable;
  versions: VersionTable;
  recalls: RecallTable;
  shortIds: ShortIdTable;
};

/** `replaced`: the store's file was moved or replaced on disk. */
export type Readiness = 'ready' | 'away' | 'replaced';

/** All persistent data. Reads see the last commit; writes happen inside `transaction` only. */
export type Store = Tables & {
  /** Runs on one snapshot, all or nothing. Keep it short, and call no model inside. */
  transaction<T>(run: (tables: Tables) => Promise<T>): Promise<T>;
  /**
   * Runs a request with a reserved answer. Its first transaction also stores a placeholder answer,
   * so that even after a crash it is known whether the request was carried out.
   */
  runIdempotent<T>(request: IdempotentRequest, run: () => Promise<T>): Promise<T>;
  /** Changes with every commit of any process. */
  version(): Promise<number>;
  /** Whether the store responds, for readiness checks. */
  ping(): Promise<Readiness>;
  /** Finds the project by id or name, or creates it and its organization for the first account. */
  ensureProject(ref: { org_id: string; project_id: string }, now: Instant): Promise<ProjectRef>;
  /** False if the database can't store vectors; then search matches words only. */
  supportsVectors: boolean;
  /** From now on gives each new text of a memory its vector in the same transaction. */
  embedInline(embedder: InlineEmbedder): void;
  /** Calls `wake` when another process has queued work; it may be called without need. */
  onWork(wake: () => void): void;
  /** Copies the whole store into a new file while in use. Throws `conflict` when it exists. */
  backup(file: string): Promise<void>;
  /** A random secret of the store, shared by all its processes; 64 hex digits. */
  secret(): Promise<string>;
  close(): Promise<void>;
};
