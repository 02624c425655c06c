import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { StoredHistoryEntry } from './history.ts';
import type {
  NewMemory,
  Selection,
  StoredEntity,
  StoredFeedback,
  StoredMemory,
} from './memories.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant, RecordedChange } from './time.ts';
import type { MemoryVersion, PastTime } from './versions.ts';

/** One step of a table scan: at most `limit` rows after this position. */
export type RowRange = { after: number; limit: number };

/** For export and import: reads all rows in insertion order, and restores rows. */
export type ArchiveTable = {
  listMemories(project: ProjectRef, selection: Selection, walk: RowRange): Promise<StoredMemory[]>;
  /**
   * What was there at a time, in two scans: what has been the same since, and what has changed or
   * gone. `position` is that of the scan.
   */
  listMemoriesAsOf(
    project: ProjectRef,
    selection: Selection,
    scan: RowRange & PastTime & { hasChanged: boolean },
  ): Promise<(StoredMemory & { recorded_from: Instant })[]>;
  listEntities(
    project: ProjectRef,
    walk: RowRange,
  ): Promise<(StoredEntity & { position: number })[]>;
  /** History of deleted memories, only of these entities if any are named. */
  listOrphanedHistory(
    project: ProjectRef,
    ids: Partial<EntityIds>,
    walk: RowRange,
  ): Promise<(StoredHistoryEntry & { position: number })[]>;
  /** Versions of deleted memories, only of these entities if any are named. */
  listOrphanedVersions(
    project: ProjectRef,
    ids: Partial<EntityIds>,
    walk: RowRange,
  ): Promise<(MemoryVersion & { position: number })[]>;
  /** Oldest first. */
  listHistory(project: ProjectRef, memory_ids: readonly string[]): Promise<StoredHistoryEntry[]>;
  listFeedback(project: ProjectRef, memory_ids: readonly string[]): Promise<StoredFeedback[]>;
  /** The ids that belong to memories of another project. */
  listForeignIds(project: ProjectRef, memory_ids: readonly string[]): Promise<string[]>;
  /** Creates or replaces entities and keeps their counts of memories. */
  putEntities(
    project: ProjectRef,
    entities: readonly StrictOmit<StoredEntity, 'total_memories'>[],
  ): Promise<void>;
  /**
   * Inserts memories with their original times, which new entities take over. Those that say since
   * when they were held are held since then, the others from the change on.
   */
  restoreMemories(
    project: ProjectRef,
    memories: readonly (NewMemory & { recorded_from?: Instant | undefined })[],
    change: RecordedChange,
  ): Promise<void>;
};
