import type { Change } from '../../contract/schemas/change.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { StoredMemory } from './memories.ts';
import type { ProjectRef } from './tenants.ts';
import type { DayStart, Instant } from './time.ts';

export type StoredHistoryEntry = EntityIds & {
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

/** The part of a change that describes the source of its text. */
export type SourceOfText = Pick<StoredHistoryEntry, 'input' | 'run_id' | 'created_at'>;

export type DayCount = { day: string; event: Change; categories: string[]; count: number };

export type HistoryTable = {
  insert(project: ProjectRef, entries: readonly StoredHistoryEntry[]): Promise<void>;
  /** Oldest first. */
  list(project: ProjectRef, memory_id: string): Promise<StoredHistoryEntry[]>;
  /**
   * Changes of all memories but those that wait for a review, newest first. The id `*` stands for
   * any.
   */
  listNewest(
    project: ProjectRef,
    query: {
      ids: { [F in keyof EntityIds]: string | undefined };
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredHistoryEntry[]; total: number }>;
  /**
   * Changes after one position until another, in their order; not of what waits for a review, or
   * was declined. Positions grow in the order of commits. The id `*` stands for any.
   */
  listAfter(
    project: ProjectRef,
    query: {
      ids: { [F in keyof EntityIds]: string | undefined };
      after: number;
      until: number;
      /** Leaves out what was recorded before. */
      since: Instant | null;
      limit: number;
    },
  ): Promise<(StoredHistoryEntry & { position: number })[]>;
  /** No change that is yet to come has this position or an earlier one; 0 before the first. */
  lastPosition(project: ProjectRef): Promise<number>;
  /** The newest `limit` changes of these days, counted; not of what waits for a review. */
  countByDay(
    project: ProjectRef,
    query: { days: readonly DayStart[]; limit: number },
  ): Promise<DayCount[]>;
  /** The messages that a memory's text was made from, also where an undo brought it back. */
  findSource(
    project: ProjectRef,
    memory: Pick<StoredMemory, 'id' | 'memory'>,
  ): Promise<SourceOfText | null>;
  /** Erases the source messages of these memories. */
  deleteSources(project: ProjectRef, memory_ids: readonly string[]): Promise<void>;
};
