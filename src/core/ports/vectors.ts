import type { Selection } from './memories.ts';
import type { Project } from './tenants.ts';
import type { Instant } from './time.ts';

/** The vectors of one embedding model; those of different models can't be compared. */
export type VectorSpace = { key: number; name: string };

/** A memory as an embedding model needs it. `hash` tells later whether the text is still this one. */
export type Unembedded = {
  position: number;
  project: Pick<Project, 'key'>;
  memory: string;
  hash: string;
};

/** The vector that a text got, of length 1; null where the model refuses the text. */
export type Embedded = Omit<Unembedded, 'memory'> & { vector: Float32Array | null };

/** A memory with how near it is to a query: the cosine of the angle between their vectors. */
export type Neighbour = { id: string; position: number; similarity: number };

export type VectorTable = {
  /** The space of this name, made where it is missing. */
  ensureSpace(name: string): Promise<VectorSpace>;
  /** Keeps other processes from embedding the same memories; false where one is at it. */
  claim(
    space: VectorSpace,
    lease: { owner: string; now: Instant; until: Instant },
  ): Promise<boolean>;
  /** Memories that have no vector in this space yet, of all projects: oldest first. */
  unembedded(space: VectorSpace, limit: number): Promise<Unembedded[]>;
  /**
   * Stores vectors for what `unembedded` answered. Memories that changed or went meanwhile get none,
   * and are asked for again where they are still there.
   */
  put(space: VectorSpace, embedded: readonly Embedded[]): Promise<void>;
  /** How many memories of the store have a vector in this space. */
  progress(space: VectorSpace): Promise<{ done: number; total: number }>;
  /** The memories of the selection nearest to a vector of length 1, nearest first. */
  nearest(
    project: Project,
    selection: Selection,
    query: { space: VectorSpace; vector: Float32Array; size: number; limit: number },
  ): Promise<Neighbour[]>;
};
