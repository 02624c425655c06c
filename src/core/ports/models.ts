import type { Instant } from './time.ts';
import type { EmbeddingModel } from './vectors.ts';

/** Turns texts into vectors; texts of similar meaning get vectors close to each other. */
export type Embedder = {
  /** Identifies the model: vectors are comparable if their names are equal. */
  name: string;
  /**
   * A vector of length 1 for each text; null for a text that the model refuses even when cut.
   * Throws `unavailable` if the model can't be reached. A query is not retried, because a caller
   * waits for it.
   */
  embed(
    texts: readonly string[],
    options: { purpose: 'question' | 'memory'; signal?: AbortSignal },
  ): Promise<(Float32Array | null)[]>;
  /** The preferred number of texts per call; no limit if absent. */
  batchSize?: number;
  close(): Promise<void>;
} & LoadableModel;

/** A model that must be loaded before use. */
export type LoadableModel = {
  /** Starts loading, so that later calls need not wait. */
  preload?(): void;
  /** The progress in words; null when it is not loading. */
  loadingProgress?(): string | null;
};

/** Scores how well texts answer a query. */
export type Reranker = {
  /** A score from 0 to 1 for each text. Throws `unavailable` if the model can't be reached. */
  rerank(
    question: string,
    texts: readonly string[],
    options: { signal?: AbortSignal },
  ): Promise<number[]>;
  close(): Promise<void>;
} & LoadableModel;

/** The vector of a query and the model whose vectors it can be compared with. */
export type QueryEmbedding = { model: EmbeddingModel; vector: Float32Array };

/** Why a query can't be searched by meaning; null if there is nothing to say about it. */
export type EmbeddingUnavailable = { warning: string | null };

/** A query that is being embedded, and the model whose vectors it will be compared with. */
export type PendingQueryEmbedding = {
  model: EmbeddingModel;
  embedding: Promise<{ vector: Float32Array } | EmbeddingUnavailable>;
};

/** Embeds queries. */
export type QueryEmbedder = {
  /** The languages that the model knows, by their English names; all if absent. */
  languages?: readonly string[];
  /** Takes microseconds and has all vectors, so that an add may ask it, too. */
  isInstant?: true;
  startEmbedding(
    question: string,
    signal?: AbortSignal,
  ): Promise<PendingQueryEmbedding | EmbeddingUnavailable>;
};

/** The cost of calls to a language model; `ms` includes waiting and retries. */
export type ModelCost = { calls: number; input_tokens: number; output_tokens: number; ms: number };

/** The part of a memory that a writer reads. */
export type WriterFact = { memory: string; created_at: Instant; categories: readonly string[] };

/**
 * A language model that writes from memories. It reads the first facts, as many as fit. Throws
 * `unavailable` if it can't be reached or returns nothing usable.
 */
export type TextWriter = {
  /** The model's name. */
  name: string;
  /** JSON that should follow a JSON Schema; it is not validated. */
  fill(
    facts: readonly WriterFact[],
    options: { schema: Record<string, unknown>; instructions: string | null; signal?: AbortSignal },
  ): Promise<{ value: unknown; cost: ModelCost }>;
  /** Prose of about `max_chars` characters at most, in the language of the facts. */
  summarize(
    facts: readonly WriterFact[],
    options: { max_chars: number; signal?: AbortSignal },
  ): Promise<{ text: string; cost: ModelCost }>;
};

/** Tokens used by all processes on the store, per day (UTC, YYYY-MM-DD). */
export type TokenUsageTable = {
  getUsage(day: string): Promise<number>;
  /** Adds to the day's usage and deletes earlier days. */
  addUsage(day: string, tokens: number): Promise<void>;
};
