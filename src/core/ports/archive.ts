import type { EntityIds } from '../../contract/schemas/entity.ts';
import type {
  NewMemory,
  Selection,
  StoredChange,
  StoredEntity,
  StoredFeedback,
  StoredMemory,
} from './memories.ts';
import type { Project } from './tenants.ts';

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
