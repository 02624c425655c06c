import type { Config } from '../config/options.ts';
import type { Deps, EmbeddingProgress, QueryEmbedder } from '../core/ports/index.ts';
import { createEmbeddingWorker } from '../core/search/semantic/embed-memories.ts';
import { createQueryEmbedder } from '../core/search/semantic/query-embedding.ts';
import { openEmbedder } from './search-models.ts';

/** Search by meaning, and what embeds memories for it in the background. */
export type SemanticSearch = {
  meaning: QueryEmbedder;
  /** Names the vectors of the configured model. */
  model: string;
  /** There may be memories to embed. */
  wake(): void;
  /** Begins to load the model, where it has to be. */
  preload(): void;
  /** How far loading it is, in words; null when it is not being loaded. */
  loading(): string | null;
  /** How far the model is; null before it has answered for the first time. */
  progress(): Promise<EmbeddingProgress | null>;
  /** Whether searches use it: it has embedded all there was at some time. */
  isComplete(): Promise<boolean>;
  /** Asks for the vectors of all memories anew. */
  restart(): Promise<void>;
  /** Why the last attempt to embed failed; null when it did not. */
  problem(): string | null;
  stop(): Promise<void>;
};

export type SemanticSearchOptions = Pick<Deps, 'store' | 'clock' | 'log'> & {
  config: Config;
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
};

/** Null where no model is configured, or the store can't search by what it answers. */
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
  const spaceOf = () => deps.store.vectors.findModel(embedder.name);
  return {
    meaning: createQueryEmbedder(deps, { embedder, search_timeout_ms, problem: worker.lastError }),
    model: embedder.name,
    wake: worker.wake,
    preload: () => embedder.preload?.(),
    loading: () => embedder.loadingProgress?.() ?? null,
    problem: worker.lastError,
    progress: async () => {
      const space = await spaceOf();
      return space === null ? null : deps.store.vectors.getProgress(space);
    },
    isComplete: async () => (await spaceOf())?.complete ?? false,
    restart: async () => {
      const space = await spaceOf();
      if (space !== null) await deps.store.vectors.restartModel(space);
      worker.wake();
    },
    stop: async () => {
      await worker.stop();
      await embedder.close();
    },
  };
}
