import type { Change } from '../../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { Granularity, MemoryType } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

/** A memory as the store keeps it. `position` grows with each insert and breaks ties of time. */
export type StoredMemory = EntityIds & {
  position: number;
  id: string;
  memory: string;
  hash: string;
  metadata: Record<string, unknown>;
  categories: string[];
  immutable: boolean;
  expiration_date: string | null;
  created_at: Instant;
  updated_at: Instant;
  replaced_by: string | null;
  /** Role and name of whoever stated the fact, where known. */
  role: string | null;
  speaker: string | null;
  type: MemoryType | null;
  /** What it tells, like `user:lives_in`; of the same owners at most one memory has it. */
  slot: string | null;
  /** When what it tells of happens, and how exact that is. */
  occurred_at: Instant | null;
  occurred_granularity: Granularity | null;
  /** The words as they were said, where the memory puts them otherwise. */
  said: string | null;
};

/**
 * Words under which a memory is found: index terms separated by spaces, each of letters, digits
 * and characters outside ASCII only. `analyze` makes them; the store only matches them.
 */
export type IndexTerms = { terms: string; speaker_terms: string };

/** The index terms under which a word of a question may be found: one of them has to be there. */
export type QueryTerm = readonly string[];

export type NewMemory = Omit<StoredMemory, 'position'> & IndexTerms;

export type MemoryPatch = Partial<
  Pick<
    NewMemory,
    | 'memory'
    | 'hash'
    | 'metadata'
    | 'categories'
    | 'expiration_date'
    | 'created_at'
    | 'replaced_by'
    | 'role'
    | 'speaker'
    | 'type'
    | 'slot'
    | 'occurred_at'
    | 'occurred_granularity'
    | 'said'
    | 'terms'
    | 'speaker_terms'
  >
> & { updated_at: Instant };

/** Which memories a list, a search or a delete concerns; all parts are ANDed. */
export type Selection = {
  filter: Filter;
  /** Hide memories that were merged into another. */
  latest_only: boolean;
  /** Hide memories whose expiration_date lies before this date; null hides none. */
  not_expired_on: string | null;
};

/** A memory that may answer a question: what ranking needs of it, not the memory itself. */
export type Candidate = EntityIds &
  IndexTerms &
  Pick<
    StoredMemory,
    'id' | 'position' | 'role' | 'created_at' | 'occurred_at' | 'occurred_granularity'
  > & {
    /** Grows with each memory of its run, by 1; null outside of runs. */
    place: number | null;
  };

/** From `from` on, and before `to`. */
export type TimeRange = { from: Instant; to: Instant };

/** Where a memory is in its run. */
export type RunPlace = { run_id: string; place: number };

/** Ids of owners as an input names them. */
export type OwnerIds = { [field in keyof EntityIds]?: string | undefined };

/** Memories whose ids end alike: the first and the last of them, and how many there are. */
export type ShortIdMatch = { short_id: string; memory_ids: string[]; total: number };

export type MemoryTable = {
  find(project: ProjectRef, id: string): Promise<StoredMemory | null>;
  /** Those of the ids that exist, in no particular order. */
  findMany(project: ProjectRef, ids: readonly string[]): Promise<StoredMemory[]>;
  /** What is known of the short ids, among the memories of these entities. */
  findByShortIds(
    project: ProjectRef,
    short_ids: readonly string[],
    ids: OwnerIds,
  ): Promise<ShortIdMatch[]>;
  /** The memory with this hash and exactly these four entity ids that lasts longest, unmerged. */
  findDuplicate(project: ProjectRef, ids: EntityIds, hash: string): Promise<StoredMemory | null>;
  /** The memory of exactly these four entity ids that fills the slot, unmerged. */
  findBySlot(project: ProjectRef, ids: EntityIds, slot: string): Promise<StoredMemory | null>;
  /** At most `limit` memories of exactly these four entity ids that fill a slot, the newest. */
  listWithSlot(project: ProjectRef, ids: EntityIds, limit: number): Promise<StoredMemory[]>;
  /** Inserts memories and counts them to their entities, which are made where missing. */
  insert(project: ProjectRef, memories: readonly NewMemory[]): Promise<void>;
  update(project: ProjectRef, id: string, patch: MemoryPatch): Promise<void>;
  /** Deletes by id and counts them off their entities; history is the caller's to write. */
  delete(project: ProjectRef, ids: readonly string[]): Promise<void>;
  /** Newest first; `total` counts all that match. */
  list(
    project: ProjectRef,
    selection: Selection,
    page: { page: number; page_size: number },
  ): Promise<{ results: StoredMemory[]; total: number }>;
  /** The first `limit` that match, oldest first. */
  listOldest(project: ProjectRef, selection: Selection, limit: number): Promise<StoredMemory[]>;
  /** Projects with memories whose expiration_date lies before this date. */
  listProjectsWithExpired(before: string): Promise<ProjectRef[]>;
  /** The first `limit` whose expiration_date lies before this date, hidden ones too. */
  listExpired(project: ProjectRef, before: string, limit: number): Promise<StoredMemory[]>;
  /**
   * At most `limit` memories of the selection that hold one of the terms, the likeliest ones; then
   * those of each part of it, made at these times, which may be among the first.
   */
  listCandidates(
    project: ProjectRef,
    selection: Selection,
    query: {
      terms: readonly QueryTerm[];
      limit: number;
      /** How many memories may be of the selection, where that is known: as `size` tells. */
      count?: number;
      parts?: readonly { made: readonly TimeRange[]; limit: number }[];
    },
  ): Promise<Candidate[]>;
  /** At most `limit` memories of the selection made at these times, the newest ones. */
  listNewest(
    project: ProjectRef,
    selection: Selection,
    made: TimeRange & { limit: number },
  ): Promise<Candidate[]>;
  /** At most `limit` of the selection whose event begins at `from` or later, before `to`. */
  listByOccurrence(
    project: ProjectRef,
    selection: Selection,
    within: TimeRange & { limit: number },
  ): Promise<Candidate[]>;
  /** The memories of the selection that are at these places. */
  listByRunPlaces(
    project: ProjectRef,
    selection: Selection,
    places: readonly RunPlace[],
  ): Promise<Candidate[]>;
  listByPositions(project: ProjectRef, positions: readonly number[]): Promise<Candidate[]>;
  /** How many memories the project holds, or the smallest of the given entities. */
  size(project: ProjectRef, ids: Partial<EntityIds>): Promise<number>;
  /** What a search begins with: that size, and the languages of the project. */
  getScopeStats(
    project: ProjectRef,
    ids: Partial<EntityIds>,
  ): Promise<{ size: number; languages: readonly string[] }>;
};

export type StoredEntity = {
  id: string;
  type: EntityType;
  name: string;
  metadata: Record<string, unknown>;
  total_memories: number;
  created_at: Instant;
  updated_at: Instant;
};

export type EntityTable = {
  find(project: ProjectRef, type: EntityType, id: string): Promise<StoredEntity | null>;
  list(
    project: ProjectRef,
    query: {
      type?: EntityType | undefined;
      id?: string | undefined;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEntity[]; totals: Record<EntityType, number> }>;
  delete(project: ProjectRef, type: EntityType, id: string): Promise<void>;
};

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

export type HistoryTable = {
  insert(project: ProjectRef, entries: readonly StoredHistoryEntry[]): Promise<void>;
  /** Oldest first. */
  list(project: ProjectRef, memory_id: string): Promise<StoredHistoryEntry[]>;
  /** The last change of a memory's text that left one. */
  findLastRewrite(project: ProjectRef, memory_id: string): Promise<StoredHistoryEntry | null>;
  /** Erases the messages that these memories came from. */
  deleteSources(project: ProjectRef, memory_ids: readonly string[]): Promise<void>;
  /** Erases the history of every memory that carries this entity id. */
  deleteByEntity(project: ProjectRef, type: EntityType, id: string): Promise<void>;
};

export type StoredFeedback = {
  id: string;
  memory_id: string;
  feedback: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null;
  feedback_reason: string | null;
  created_at: Instant;
};

export type FeedbackTable = {
  /** Stores a rating; a second one of the same memory replaces the first and keeps its id. */
  put(project: ProjectRef, feedback: StoredFeedback): Promise<StoredFeedback>;
  deleteByMemories(project: ProjectRef, memory_ids: readonly string[]): Promise<void>;
};
