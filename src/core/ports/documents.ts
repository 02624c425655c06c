import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { EventStatus } from '../../contract/schemas/event.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

export type StoredExport = EntityIds & {
  id: string;
  schema: Record<string, unknown>;
  filters: Record<string, unknown> | null;
  instructions: string | null;
  /** The times that it describes; null is the present. */
  as_of: Instant | null;
  valid_at: Instant | null;
  status: EventStatus;
  data: unknown;
  error: string | null;
  created_at: Instant;
  completed_at: Instant | null;
};

/** An export without its schema and its result. */
export type ExportScope = EntityIds & Pick<StoredExport, 'id' | 'filters' | 'status'>;

export type ExportTable = {
  find(project: ProjectRef, id: string): Promise<StoredExport | null>;
  /** The newest one made for these entity ids and this filter. */
  findLatest(
    project: ProjectRef,
    query: Partial<EntityIds> & { filters?: Record<string, unknown> },
  ): Promise<StoredExport | null>;
  insert(project: ProjectRef, record: StoredExport): Promise<void>;
  update(
    project: ProjectRef,
    id: string,
    patch: Partial<Pick<StoredExport, 'status' | 'data' | 'error' | 'completed_at'>>,
  ): Promise<void>;
  /** The scopes of all exports that name this entity, or no entity of its type. */
  listByEntity(project: ProjectRef, type: EntityType, id: string): Promise<ExportScope[]>;
  /** Erases exports with their queued jobs. */
  delete(project: ProjectRef, ids: readonly string[]): Promise<void>;
  /** Deletes up to `limit` settled exports older than this; returns how many. */
  deleteSettledBefore(instant: Instant, limit: number): Promise<number>;
};

/**
 * JSON documents of a project by kind and id: profile settings, profiles and their jobs, texts that
 * a review refused, and snapshots.
 */
export type DocumentTable = {
  find<T>(project: ProjectRef, kind: DocumentKind, id: string): Promise<T | null>;
  /** All of a kind, the newest first. */
  list<T>(project: ProjectRef, kind: DocumentKind): Promise<T[]>;
  put(
    project: ProjectRef,
    document: { kind: DocumentKind; id: string; value: unknown; now: Instant },
  ): Promise<void>;
  delete(project: ProjectRef, kind: DocumentKind, id: string): Promise<void>;
};

export type DocumentKind =
  | 'profile_settings'
  | 'profile'
  | 'profile_job'
  | 'refused_text'
  | 'snapshot';
