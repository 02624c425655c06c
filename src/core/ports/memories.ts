import type { EntityIds, EntityOrder, EntityType } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type {
  Granularity,
  MemorySort,
  MemoryStatus,
  MemoryType,
  ReviewReason,
  SourceClass,
} from '../../contract/schemas/memory.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Bm25Weights } from '../bm25.ts';
import type { MemoryStatement, Validity } from './extraction.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant, RecordedChange } from './time.ts';

/** A memory as the store keeps it. `position` grows with each insert and breaks ties of time. */
export type StoredMemory = EntityIds &
  Validity & {
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
    /** Role and name of the speaker, if known. */
    role: string | null;
    speaker: string | null;
    type: MemoryType | null;
    /**
     * The attribute to which it gives a value, such as `user:lives_in`, and nothing else; a user
     * may have two employers.
     */
    slot: string | null;
    /** When its event happens, and how exact that is. */
    occurred_at: Instant | null;
    occurred_granularity: Granularity | null;
    /** The original words, if the memory rephrases them. */
    said: string | null;
    status: MemoryStatus;
    /** The least trusted source that the text draws on. */
    source_class: SourceClass;
    /** Why it waits, if it is not active. */
    review_reason: ReviewReason | null;
    /** The memory that takes this one's text when it is accepted. */
    supersedes: string | null;
    /** Older memories that this one may contradict, as they were when it was written. */
    may_replace: string[];
    /** Always of use. Pinned memories have an index of their own, which filters by `pinned` use. */
    pinned: boolean;
  };

/**
 * The searchable words of a memory: index terms separated by spaces, each made of letters, digits
 * and characters outside ASCII. `analyze` makes them; the store only matches them.
 */
export type IndexTerms = { terms: string; speaker_terms: string };

/** The alternative index terms of one query word; only ranking knows phrases of several. */
export type QueryTerm = readonly string[];

export type NewMemory = StrictOmit<StoredMemory, 'position'> & IndexTerms;

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
    | 'status'
    | 'source_class'
    | 'review_reason'
    | 'supersedes'
    | 'may_replace'
    | 'pinned'
    | keyof Validity
    | 'terms'
    | 'speaker_terms'
  >
> & {
  updated_at: Instant;
  /** Without one, the version before ends at `updated_at`. */
  change?: RecordedChange;
  /** When the version before ceased to be true, if this one supersedes it. */
  superseded_at?: Instant;
};

/** Which memories a list, a search or a delete concerns; all parts are ANDed. */
export type Selection = {
  filter: Filter;
  /** Hide memories that were merged into another. */
  latest_only: boolean;
  /** Hide memories whose expiration_date is before this date; null hides none. */
  not_expired_on: string | null;
  /**
   * Only active memories; all that wait for a review; all but quarantined ones; or all. The first
   * costs nothing, because nearly every memory is active, and the second has an index.
   */
  status: 'active' | 'waiting' | 'not_quarantined' | 'any';
  /** Only those that wait for this reason. */
  review_reason?: ReviewReason;
};

type CandidateTime = 'created_at' | 'occurred_at' | 'occurred_granularity' | 'valid_until';

/** A memory that may answer a query, reduced to what ranking needs. */
export type Candidate = EntityIds &
  IndexTerms &
  Pick<StoredMemory, 'id' | 'position' | 'role' | 'may_replace' | CandidateTime> & {
    /** Its number in its run, ascending by 1; null outside a run. */
    run_position: number | null;
    /** Somebody with a name said it, and it has a question mark. */
    asks: boolean;
  };

/** From `from` (inclusive) to `to` (exclusive). */
export type TimeRange = { from: Instant; to: Instant };

/** The place of a memory in its run. */
export type RunPlace = { run_id: string; run_position: number };

/** What {@link MemoryTable.listCandidates} looks for. */
export type CandidateQuery = {
  terms: readonly QueryTerm[];
  /** In which order the found ones are returned. */
  bm25: Bm25Weights;
  limit: number;
  /** An upper bound of the selection's size, if known; see {@link MemoryTable.size}. */
  size?: number;
  parts?: readonly CandidatePart[];
};

/** Up to `limit` memories that were created in one of these time ranges. */
export type CandidatePart = { timeRanges: readonly TimeRange[]; limit: number };

/** A memory of the same text, and how long it lasts. */
type StoredDuplicate = Pick<StoredMemory, 'id' | 'expiration_date'>;

/** A page of a list, which is sorted by default by `-created_at`. */
export type MemoryPage = { page: number; page_size: number; sort?: MemorySort };

export type MemoryTable = {
  find(project: ProjectRef, id: string): Promise<StoredMemory | null>;
  /** The memories with these ids that exist, in no particular order. */
  findMany(project: ProjectRef, ids: readonly string[]): Promise<StoredMemory[]>;
  /**
   * The active memory with this hash and exactly these four entity ids that lasts longest,
   * unmerged.
   */
  findDuplicate(project: ProjectRef, ids: EntityIds, hash: string): Promise<StoredDuplicate | null>;
  /** The same among the memories that wait for a review. */
  findWaitingDuplicate(
    project: ProjectRef,
    ids: EntityIds,
    hash: string,
  ): Promise<StoredDuplicate | null>;
  /** The unmerged active memory with exactly these entity ids that fills the slot. */
  findBySlot(project: ProjectRef, ids: EntityIds, slot: string): Promise<StoredMemory | null>;
  /** The newest `limit` active memories with exactly these entity ids that fill a slot. */
  listWithSlot(project: ProjectRef, ids: EntityIds, limit: number): Promise<StoredMemory[]>;
  /**
   * Inserts memories, creates missing entities and adds to their counts. Without a change, each is
   * recorded at its `updated_at`.
   */
  insert(
    project: ProjectRef,
    memories: readonly NewMemory[],
    change?: RecordedChange,
  ): Promise<void>;
  /** Keeps the version before. */
  update(project: ProjectRef, id: string, patch: MemoryPatch): Promise<void>;
  /**
   * Deletes by id and subtracts from the counts of entities. The caller writes the history. With a
   * change the last versions are kept; without one they are erased.
   */
  delete(project: ProjectRef, ids: readonly string[], change?: RecordedChange): Promise<void>;
  /** By default newest first; `total` counts all that match. */
  list(
    project: ProjectRef,
    selection: Selection,
    page: MemoryPage,
  ): Promise<{ results: StoredMemory[]; total: number }>;
  /** The categories that the newest active memories have, each once. */
  listCategories(project: ProjectRef, newest: number): Promise<string[]>;
  /** The first `limit` that match, oldest first. */
  listOldest(project: ProjectRef, selection: Selection, limit: number): Promise<StoredMemory[]>;
  /** Projects with memories whose expiration_date is before this date. */
  listProjectsWithExpired(before: string): Promise<ProjectRef[]>;
  /** The first `limit` memories whose expiration_date is before this date, hidden ones too. */
  listExpired(project: ProjectRef, before: string, limit: number): Promise<StoredMemory[]>;
  /**
   * The best `limit` memories of the selection that hold one of the terms, then those of each part,
   * created in its time ranges. The parts may repeat earlier results.
   */
  listCandidates(
    project: ProjectRef,
    selection: Selection,
    query: CandidateQuery,
  ): Promise<Candidate[]>;
  /** The newest `limit` memories of the selection that were created in this time range. */
  listNewest(
    project: ProjectRef,
    selection: Selection,
    timeRange: TimeRange & { limit: number },
  ): Promise<Candidate[]>;
  /** Up to `limit` memories of the selection whose event begins in this time range. */
  listByOccurrence(
    project: ProjectRef,
    selection: Selection,
    within: TimeRange & { limit: number },
  ): Promise<Candidate[]>;
  /** The memories of the selection at these places. */
  listByRunPlaces(
    project: ProjectRef,
    selection: Selection,
    places: readonly RunPlace[],
  ): Promise<Candidate[]>;
  listByPositions(project: ProjectRef, positions: readonly number[]): Promise<Candidate[]>;
  /** What the memories at these positions say, in no particular order. */
  listStatements(
    project: ProjectRef,
    positions: readonly number[],
  ): Promise<(MemoryStatement & EntityIds & Pick<StoredMemory, 'position'>)[]>;
  /** The number of memories of the project, or of the smallest of these entities. */
  size(project: ProjectRef, ids: Partial<EntityIds>): Promise<number>;
  /** That size and the languages of the project, for the start of a search. */
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
  /** Creates an entity. One that exists keeps what it has, and gets what it lacks. */
  create(
    project: ProjectRef,
    entity: StrictOmit<StoredEntity, 'total_memories'>,
  ): Promise<StoredEntity>;
  find(project: ProjectRef, type: EntityType, id: string): Promise<StoredEntity | null>;
  list(
    project: ProjectRef,
    query: {
      type?: EntityType | undefined;
      id?: string | undefined;
      /** Only those whose id or name holds this, in any case. */
      text?: string | undefined;
      /** Only those that were there at this time. */
      created_until?: Instant | undefined;
      /** The newest first if it is not named. */
      sort?: EntityOrder | undefined;
      /** Only the entities of these ids. */
      only?: Partial<EntityIds>;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEntity[]; totals: Record<EntityType, number> }>;
  countWithMemories(project: ProjectRef, type: EntityType): Promise<number>;
  delete(project: ProjectRef, type: EntityType, id: string): Promise<void>;
};

export type StoredFeedback = {
  id: string;
  memory_id: string;
  feedback: 'POSITIVE' | 'NEGATIVE' | 'VERY_NEGATIVE' | null;
  feedback_reason: string | null;
  created_at: Instant;
};

/** Ratings of memories. That of a deleted one is kept, until it is erased. */
export type FeedbackTable = {
  /** Stores a rating; a second one of the same memory replaces the first and keeps its id. */
  put(project: ProjectRef, feedback: StoredFeedback): Promise<StoredFeedback>;
};
