import type { EntityIds } from '../../contract/schemas/entity.ts';
import type {
  NewMemory,
  Selection,
  StoredEntity,
  StoredFeedback,
  StoredHistoryEntry,
  StoredMemory,
} from './memories.ts';
import type { ProjectRef } from './tenants.ts';

/** Where a walk over a table stands: rows after this position, at most `limit` of them. */
export type RowRange = { after: number; limit: number };

/** What export and import need: all rows in the order in which they came, and rows put back. */
export type ArchiveTable = {
  listMemories(project: ProjectRef, selection: Selection, walk: RowRange): Promise<StoredMemory[]>;
  listEntities(
    project: ProjectRef,
    walk: RowRange,
  ): Promise<(StoredEntity & { position: number })[]>;
  /** History of memories that are gone, of these entities where some are named. */
  listOrphanedHistory(
    project: ProjectRef,
    ids: Partial<EntityIds>,
    walk: RowRange,
  ): Promise<(StoredHistoryEntry & { position: number })[]>;
  /** Oldest first. */
  listHistory(project: ProjectRef, memory_ids: readonly string[]): Promise<StoredHistoryEntry[]>;
  listFeedback(project: ProjectRef, memory_ids: readonly string[]): Promise<StoredFeedback[]>;
  /** Those of the ids under which another project holds a memory. */
  listForeignIds(project: ProjectRef, memory_ids: readonly string[]): Promise<string[]>;
  /** Makes or replaces entities; how many memories they have stays as it is. */
  putEntities(
    project: ProjectRef,
    entities: readonly Omit<StoredEntity, 'total_memories'>[],
  ): Promise<void>;
  /** Inserts memories of an earlier time; their entities are as old as that. */
  restoreMemories(project: ProjectRef, memories: readonly NewMemory[]): Promise<void>;
};
