import type { AuditEntry } from '../../contract/schemas/audit.ts';
import type { EntityType } from '../../contract/schemas/entity.ts';
import type { Caller, OperationName } from '../../contract.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

/** An entry with its place in the log. */
export type StoredAuditEntry = AuditEntry & { position: number };

/** The first entry of a chain that retention kept, and its last entry; stored beside the log. */
export type AuditChain = Pick<AuditEntry, 'chain' | 'number' | 'hash'> & { first_number: number };

export type AuditEntity = { type: EntityType; id: string };

export type AuditTable = {
  /** Also notes it as the last of its chain. */
  append(entry: AuditEntry): Promise<void>;
  listChains(): Promise<AuditChain[]>;
  /** The hash of the entry that was written last, whatever its chain. */
  findLastHash(): Promise<string | null>;
  /** Newest first. */
  list(
    project_id: string,
    query: {
      page: number;
      page_size: number;
      operation?: string | undefined;
      outcome?: string | undefined;
    },
  ): Promise<{ results: AuditEntry[]; total: number }>;
  /** In the order of writing, from after this position. */
  listAfter(position: number, limit: number): Promise<StoredAuditEntry[]>;
  /** Also notes where the chains begin now. */
  deleteBefore(instant: Instant): Promise<number>;
  /** The salt of an entity, made from `fresh` at the first use; null if there is no such entity. */
  getSalt(project: ProjectRef, entity: AuditEntity, fresh: string): Promise<string | null>;
};

/** A call that has ended. */
export type AuditedCall = {
  name: OperationName;
  caller: Caller;
  /** Null if it named none, or one that the caller may not see. */
  project: ProjectRef | null;
  input: unknown;
  output: unknown;
  error: unknown;
};

export type AuditLog = { record(call: AuditedCall): Promise<void> };
