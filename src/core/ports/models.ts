import type { Instant } from './time.ts';
import type { EmbeddingModel } from './vectors.ts';

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
  batchSize?: number;
  close(): Promise<void>;
} & LoadableModel;

/** Of a model that has to be loaded before it can be used. */
export type LoadableModel = {
  /** Begins to load it, so that nobody has to wait for that later. */
  preload?(): void;
  /** How far that is, in words; null when it is not being loaded. */
  loadingProgress?(): string | null;
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
} & LoadableModel;

/** A question as a vector, and the vectors that it can be compared with. */
export type QueryEmbedding = { space: EmbeddingModel; vector: Float32Array };

/** Why a question can't be searched by meaning. */
export type EmbeddingUnavailable = { warning: string };

/** A question that the model reads, and the vectors that its own will be compared with. */
export type PendingQueryEmbedding = {
  space: EmbeddingModel;
  embedding: Promise<{ vector: Float32Array } | EmbeddingUnavailable>;
};

/** Finds out what a question means, as far as a model tells. */
export type QueryEmbedder = {
  startEmbedding(
    question: string,
    signal?: AbortSignal,
  ): Promise<PendingQueryEmbedding | EmbeddingUnavailable>;
};

/** What asking a language model has cost; `ms` with all that was waited for. */
export type ModelCost = { calls: number; input_tokens: number; output_tokens: number; ms: number };

/** What a writer reads of a memory. */
export type WriterFact = { memory: string; created_at: Instant; categories: readonly string[] };

/**
 * A language model that puts together what memories tell. It reads as many facts as it has room
 * for, the first ones. Throws `unavailable` when it can't be had, or answers nothing usable.
 */
export type TextWriter = {
  /** The model's name. */
  name: string;
  /** JSON in the form of a JSON Schema, as far as the model keeps to it: nothing is checked. */
  fill(
    facts: readonly WriterFact[],
    options: { schema: Record<string, unknown>; instructions: string | null; signal?: AbortSignal },
  ): Promise<{ value: unknown; cost: ModelCost }>;
  /** Prose of at most about so many characters, in the language of the facts. */
  summarize(
    facts: readonly WriterFact[],
    options: { max_chars: number; signal?: AbortSignal },
  ): Promise<{ text: string; cost: ModelCost }>;
};

/** What language models have cost all processes on the store, by the day (UTC, YYYY-MM-DD). */
export type TokenUsageTable = {
  getUsage(day: string): Promise<number>;
  /** Adds to the day's, and forgets those before. */
  addUsage(day: string, tokens: number): Promise<void>;
};
