import type { Config } from '../../config/options.ts';
import type { Deps, EmbeddingProgress, QueryEmbedder } from '../../core/ports/index.ts';
import { createEmbeddingWorker } from '../../core/search/semantic/embed-memories.ts';
import { createQueryEmbedder } from '../../core/search/semantic/query-embedding.ts';
import { openEmbedder } from './search-models.ts';

/** Semantic search, and the worker that embeds memories for it in the background. */
export type SemanticSearch = {
  meaning: QueryEmbedder;
  /** The name of the configured model's vectors. */
  model: string;
  /** Call it when there may be memories to embed. */
  wake(): void;
  /** Starts loading the model, if it needs loading. */
  preload(): void;
  /** The progress of loading, in words; null when it is not loading. */
  loading(): string | null;
  /** The progress of embedding; null before the model's first response. */
  progress(): Promise<EmbeddingProgress | null>;
  /** Whether searches use the model: it has once embedded all memories. */
  isComplete(): Promise<boolean>;
  /** Embeds all memories again. */
  restart(): Promise<void>;
  /** Why the last attempt to embed failed; null if it succeeded. */
  problem(): string | null;
  stop(): Promise<void>;
};

export type SemanticSearchOptions = Pick<Deps, 'store' | 'clock' | 'log'> & {
  config: Config;
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
};

/** Null if no model is configured, or the store does not support vectors. */
export function createSemanticSearch({
  config,
  owner,
  ...deps
}: SemanticSearchOptions): SemanticSearch | null {
  const { log, store } = deps;
  const embedder = store.supportsVectors ? openEmbedder(config, { log }) : null;
  if (embedder === null) return null;
  const { lease_ms, search_timeout_ms } = config;
  const worker = createEmbeddingWorker(deps, { embedder, owner, lease_ms });
  const findModel = () => deps.store.vectors.findModel(embedder.name);
  return {
    meaning: createQueryEmbedder(deps, { embedder, search_timeout_ms, problem: worker.lastError }),
    model: embedder.name,
    wake: worker.wake,
    preload: () => embedder.preload?.(),
    loading: () => embedder.loadingProgress?.() ?? null,
    problem: worker.lastError,
    progress: async () => {
      const model = await findModel();
      return model === null ? null : deps.store.vectors.getProgress(model);
    },
    isComplete: async () => (await findModel())?.complete ?? false,
    restart: async () => {
      const model = await findModel();
      if (model !== null) await deps.store.vectors.restartModel(model);
      worker.wake();
    },
    stop: async () => {
      await worker.stop();
      await embedder.close();
    },
  };
}
