import type { EntityType } from '../../contract/schemas/entity.ts';
import type { Candidate, MemoryPage, NewMemory, Selection, StoredMemory } from './memories.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

/** When an earlier version ceased to be true, if what came after it superseded it. */
export type Superseded = {
  superseded_at: Instant | null;
  /** Only a part of it: what came after it is the rest, which was true before as well. */
  superseded_in_part: boolean;
};

/** When the store held an earlier version, and when that was superseded, if it was. */
export type VersionTimes = Superseded & { recorded_from: Instant; recorded_until: Instant };

/**
 * A memory as the store held it from `recorded_from` (inclusive) until `recorded_until`
 * (exclusive); null if it still holds it.
 */
export type MemoryVersion = Superseded & {
  memory: StoredMemory;
  recorded_from: Instant;
  recorded_until: Instant | null;
  /** The event that made it, and the one that changed or deleted it. */
  recorded_by: string | null;
  ended_by: string | null;
};

/**
 * The memories of an earlier time, for a search: the ones that are unchanged since, and the ones
 * that have changed or are deleted, with their texts.
 */
export type PastCandidates = {
  unchanged: Candidate[];
  changed: (Candidate & { memory: string })[];
};

/**
 * What the store held at `as_of`. With `valid_at`, only what the store at that time took to be true
 * then: superseded versions count as well, each until it was superseded.
 */
export type PastTime = { as_of: Instant; valid_at: Instant | null };

/** What the store held earlier. Erased memories are in none of it. */
export type VersionTable = {
  /** The memories with these ids that the store held at this time, as they were. */
  findMany(project: ProjectRef, ids: readonly string[], at: PastTime): Promise<StoredMemory[]>;
  /** As `memories.list`, of the memories that were there at this time. */
  list(
    project: ProjectRef,
    selection: Selection,
    at: PastTime & MemoryPage,
  ): Promise<{ results: StoredMemory[]; total: number }>;
  /** The first `limit` of the memories that were there then, or had this slot, oldest first. */
  listOldest(
    project: ProjectRef,
    selection: Selection,
    at: PastTime & { limit: number; slot?: string },
  ): Promise<StoredMemory[]>;
  /** All of the selection at this time; null if they are more than `limit`. */
  listCandidates(
    project: ProjectRef,
    selection: Selection,
    at: PastTime & { limit: number },
  ): Promise<PastCandidates | null>;
  /** How many memories each of these entities had at this time; none is left out. */
  countByEntity(
    project: ProjectRef,
    entities: { type: EntityType; ids: readonly string[] },
    at: PastTime,
  ): Promise<ReadonlyMap<string, number>>;
  /** All versions of these memories, oldest first. */
  listVersions(project: ProjectRef, ids: readonly string[]): Promise<MemoryVersion[]>;
  /** The first `limit` ids of memories that the event changed or deleted. */
  listEndedBy(project: ProjectRef, event_id: string, limit: number): Promise<string[]>;
  /**
   * The first `limit` ids of memories of which a version that matches began or ended after `from`
   * and up to `until`.
   */
  listChanged(
    project: ProjectRef,
    selection: Selection,
    within: { from: Instant; until: Instant; limit: number },
  ): Promise<string[]>;
  /** Versions of an import; the memories may be gone. */
  insert(project: ProjectRef, versions: readonly (NewMemory & VersionTimes)[]): Promise<void>;
  /** Deletes up to `limit` versions that ended before this time; returns how many. */
  deleteEndedBefore(before: Instant, limit: number): Promise<number>;
};
