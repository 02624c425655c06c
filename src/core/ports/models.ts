import type { VectorSpace } from './vectors.ts';

/** Turns texts into vectors that are near each other where the texts mean the same. */
export type Embedder = {
  /** Says whose vectors these are: equal names, comparable vectors. */
  name: string;
  /**
   * A vector of length 1 for each text; null for one that the model refuses, however short it is
   * cut. Throws `unavailable` when the model can't be had. A question that somebody waits for is
   * tried once.
   */
  embed(
    texts: readonly string[],
    options: { purpose: 'question' | 'memory'; signal?: AbortSignal },
  ): Promise<(Float32Array | null)[]>;
  close(): Promise<void>;
};

/** A question as a vector, and the vectors that it can be compared with. */
export type AskedMeaning = { space: VectorSpace; vector: Float32Array };

/** What there is to search by meaning; else why there is nothing. */
export type Asked = { asked: AskedMeaning } | { warning: string };

/** Finds out what a question means, as far as a model tells. */
export type Meaning = { ask(question: string, signal?: AbortSignal): Promise<Asked> };
