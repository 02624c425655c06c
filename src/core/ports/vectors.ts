import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Selection } from './memories.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

/**
 * How to interpret the cosines of an embedding model: the usual one of unrelated texts, that of a
 * question and its answer, and how reliably the model tells the two apart, from 0 to 1.
 */
export type VectorScale = { unrelated: number; related: number; trust: number };

/**
 * The vectors of one embedding model; vectors of different models can't be compared. It is complete
 * once all existing memories have been embedded.
 */
export type EmbeddingModel = {
  key: number;
  name: string;
  dimension: number;
  scale: VectorScale;
  complete: boolean;
};

/** A memory to embed; `hash` later shows whether the text has changed. */
export type UnembeddedMemory = {
  position: number;
  project: Pick<ProjectRef, 'key'>;
  memory: string;
  hash: string;
};

/** The vector of a text, of length 1; null if the model refuses the text. */
export type MemoryEmbedding = StrictOmit<UnembeddedMemory, 'memory'> & {
  vector: Float32Array | null;
};

/** A memory's position and its similarity to a query: the cosine of their vectors. */
export type VectorNeighbour = { position: number; similarity: number };

/** The nearest memories, nearest first, and the similarity, by position, of all compared ones. */
export type NearestVectors = {
  neighbours: VectorNeighbour[];
  compared: ReadonlyMap<number, number>;
};

/**
 * The memories to compare with a query, with the keys of their vectors, at this version of the
 * store.
 */
export type PreloadedVectors = {
  version: number;
  matches: readonly { position: number; key: number }[];
};

/** The progress of a model: memories still to embed, of all in the store. */
export type EmbeddingProgress = { pending: number; total: number };

/**
 * An embedder that needs no waiting: with it the store makes the vector of a memory in the
 * transaction that stores the text. Null for a text that it knows nothing of.
 */
export type InlineEmbedder = { model: EmbeddingModel; embed(text: string): Float32Array | null };

export type VectorTable = {
  findModel(name: string): Promise<EmbeddingModel | null>;
  /** Creates the model; one of the same name with another dimension loses its vectors first. */
  openModel(
    model: Pick<EmbeddingModel, 'name' | 'dimension' | 'scale'>,
    now: Instant,
  ): Promise<EmbeddingModel>;
  /** Marks all memories as embedded. */
  markModelComplete(model: EmbeddingModel): Promise<void>;
  /** Embeds all memories again; the old vectors stay until they are replaced. */
  restartModel(model: EmbeddingModel): Promise<void>;
  /** Deletes up to `limit` vectors of unused models; returns how many. */
  deleteUnusedVectors(unused_since: Instant, limit: number): Promise<number>;
  /**
   * Keeps other processes from embedding the same memories; false if one holds the lease. One that
   * ends long after `until` was written before a clock stepped back, and is over.
   */
  acquireLease(
    model: EmbeddingModel,
    lease: { owner: string; now: Instant; until: Instant },
  ): Promise<boolean>;
  /** Releases the lease at once. */
  releaseLease(model: EmbeddingModel, owner: string): Promise<void>;
  /**
   * Memories of all projects without a vector of this model, oldest first. Null while uncommitted
   * writes make this uncertain.
   */
  listUnembedded(model: EmbeddingModel, limit: number): Promise<UnembeddedMemory[] | null>;
  /** Memories of all projects after a position, in that order, with a vector or without one. */
  listAfter(position: number, limit: number): Promise<UnembeddedMemory[]>;
  /**
   * Stores vectors for the result of `listUnembedded` or `listAfter`. Memories that were changed
   * or deleted meanwhile get none; the changed ones are listed again.
   */
  put(model: EmbeddingModel, embedded: readonly MemoryEmbedding[]): Promise<void>;
  /** Moves the mark of what has been embedded past memories that have a vector already. */
  skipEmbedded(model: EmbeddingModel): Promise<void>;
  getProgress(model: EmbeddingModel): Promise<EmbeddingProgress>;
  /**
   * Loads the vectors that `searchNearest` will compare while the model embeds the query. Null if
   * there are too many, or nothing to gain.
   */
  preload(
    project: ProjectRef,
    selection: Selection,
    query: { model: EmbeddingModel; size: number },
  ): Promise<PreloadedVectors | null>;
  /**
   * The memories of the selection nearest to a vector of length 1, taken from `preloaded` if the
   * store has not changed since.
   */
  searchNearest(
    project: ProjectRef,
    selection: Selection,
    query: {
      model: EmbeddingModel;
      vector: Float32Array;
      size: number;
      limit: number;
      preloaded?: PreloadedVectors | null;
    },
  ): Promise<NearestVectors>;
  /** The similarities of these memories, by position; those without a vector are omitted. */
  getSimilarities(
    project: ProjectRef,
    query: { model: EmbeddingModel; vector: Float32Array; positions: readonly number[] },
  ): Promise<Map<number, number>>;
  /**
   * The similarities of texts that have no vector, such as those of earlier versions: empty unless
   * the store makes vectors itself.
   */
  compareTexts(query: {
    model: EmbeddingModel;
    vector: Float32Array;
    texts: readonly { position: number; memory: string }[];
  }): Promise<Map<number, number>>;
  /** Bytes of the vectors that this process caches. */
  cachedBytes(): number;
};
