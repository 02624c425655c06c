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
  /** How many texts are a good piece of work; where it does not say, very many are. */
  textsAtOnce?: number;
  close(): Promise<void>;
} & Loading;

/** Of a model that has to be loaded before it can be used. */
export type Loading = {
  /** Begins to load it, so that nobody has to wait for that later. */
  warm?(): void;
  /** How far that is, in words; null when it is not being loaded. */
  loading?(): string | null;
};

/** Judges how well texts answer a question, reading both together. */
export type Reranker = {
  /** 0 to 1 for each text. Throws `unavailable` when the model can't be had. */
  rerank(
    question: string,
    texts: readonly string[],
    options: { signal?: AbortSignal },
  ): Promise<number[]>;
  close(): Promise<void>;
} & Loading;

/** A question as a vector, and the vectors that it can be compared with. */
export type AskedMeaning = { space: VectorSpace; vector: Float32Array };

/** What there is to search by meaning; else why there is nothing. */
export type Asked = { asked: AskedMeaning } | { warning: string };

/** Finds out what a question means, as far as a model tells. */
export type Meaning = { ask(question: string, signal?: AbortSignal): Promise<Asked> };
