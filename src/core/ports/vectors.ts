import type { Selection } from './memories.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

/**
 * How to read the cosines of an embedding model: what texts have that have nothing to do with each
 * other, what a question has with its answer, and how far the model can be trusted to tell the two
 * apart, 0 to 1.
 */
export type VectorScale = { unrelated: number; related: number; trust: number };

/**
 * The vectors of one embedding model; those of different models can't be compared. It is complete
 * once all memories that there were have passed the model.
 */
export type EmbeddingModel = {
  key: number;
  name: string;
  dimension: number;
  scale: VectorScale;
  complete: boolean;
};

/** A memory as an embedding model needs it; `hash` tells later whether the text is still this. */
export type UnembeddedMemory = {
  position: number;
  project: Pick<ProjectRef, 'key'>;
  memory: string;
  hash: string;
};

/** The vector that a text got, of length 1; null where the model refuses the text. */
export type MemoryEmbedding = Omit<UnembeddedMemory, 'memory'> & { vector: Float32Array | null };

/** Where a memory is, and how near to a query: the cosine of the angle between their vectors. */
export type VectorNeighbour = { position: number; similarity: number };

/** The nearest, nearest first; and how near all are, by position, that were compared for it. */
export type NearestVectors = {
  neighbours: VectorNeighbour[];
  compared: ReadonlyMap<number, number>;
};

/**
 * Memories that are to be compared with a question, and under which keys their vectors are, as the
 * store was in this version.
 */
export type PreloadedVectors = {
  version: number;
  matches: readonly { position: number; key: number }[];
};

/** How far a model is: memories that it has still to see, of all in the store. */
export type EmbeddingProgress = { pending: number; total: number };

export type VectorTable = {
  findModel(name: string): Promise<EmbeddingModel | null>;
  /** Makes the space; one of this name with another dimension is emptied and begins anew. */
  openModel(
    space: Pick<EmbeddingModel, 'name' | 'dimension' | 'scale'>,
    now: Instant,
  ): Promise<EmbeddingModel>;
  /** Notes that all memories have passed the model. */
  markModelComplete(space: EmbeddingModel): Promise<void>;
  /** Begins anew: all memories are asked for again, and their old vectors stay until then. */
  restartModel(space: EmbeddingModel): Promise<void>;
  /** Deletes up to `limit` vectors of spaces unused since; answers how many. */
  deleteUnusedVectors(unused_since: Instant, limit: number): Promise<number>;
  /** Keeps other processes from embedding the same memories; false where one is at it. */
  acquireLease(
    space: EmbeddingModel,
    lease: { owner: string; now: Instant; until: Instant },
  ): Promise<boolean>;
  /** Lets others claim at once. */
  releaseLease(space: EmbeddingModel, owner: string): Promise<void>;
  /**
   * Memories that have no vector in this space yet, of all projects: oldest first. Null where that
   * can't be told for those that are being written just now.
   */
  listUnembedded(space: EmbeddingModel, limit: number): Promise<UnembeddedMemory[] | null>;
  /**
   * Stores vectors for what `unembedded` answered. Memories that changed or went meanwhile get
   * none, and are asked for again where they are still there.
   */
  put(space: EmbeddingModel, embedded: readonly MemoryEmbedding[]): Promise<void>;
  getProgress(space: EmbeddingModel): Promise<EmbeddingProgress>;
  /**
   * Brings to hand what `nearest` will compare, for as long as its vector is not there: models take
   * longer than this. Null where there is too much of it, or nothing to gain.
   */
  preload(
    project: ProjectRef,
    selection: Selection,
    query: { space: EmbeddingModel; size: number },
  ): Promise<PreloadedVectors | null>;
  /**
   * The memories of the selection nearest to a vector of length 1; of those that were gathered,
   * where nothing has changed since.
   */
  searchNearest(
    project: ProjectRef,
    selection: Selection,
    query: {
      space: EmbeddingModel;
      vector: Float32Array;
      size: number;
      limit: number;
      preloaded?: PreloadedVectors | null;
    },
  ): Promise<NearestVectors>;
  /** How near these memories are, by position; those without a vector are left out. */
  getSimilarities(
    project: ProjectRef,
    query: { space: EmbeddingModel; vector: Float32Array; positions: readonly number[] },
  ): Promise<Map<number, number>>;
  /** Bytes of memory that this process keeps vectors in. */
  cachedBytes(): number;
};
