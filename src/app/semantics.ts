import type { Config } from '../config/options.ts';
import { createEmbeddingWorker } from '../core/meaning/embed-memories.ts';
import { createMeaning } from '../core/meaning/meaning.ts';
import type { Deps, EmbeddingProgress, Meaning } from '../core/ports.ts';
import { openEmbedder } from './models.ts';

/** Search by meaning, and what embeds memories for it in the background. */
export type Semantics = {
  meaning: Meaning;
  /** Names the vectors of the configured model. */
  model: string;
  /** There may be memories to embed. */
  wake(): void;
  /** Begins to load the model, where it has to be. */
  warm(): void;
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

export type SemanticsParts = Pick<Deps, 'store' | 'clock' | 'log'> & {
  config: Config;
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
};

/** Null where no model is configured, or the store can't search by what it answers. */
export function createSemantics({ config, owner, ...deps }: SemanticsParts): Semantics | null {
  const { log, store } = deps;
  const embedder = store.searchesVectors ? openEmbedder(config, { log }) : null;
  if (embedder === null) return null;
  const { lease_ms, search_timeout_ms } = config;
  const worker = createEmbeddingWorker(deps, { embedder, owner, lease_ms });
  const spaceOf = () => deps.store.vectors.findSpace(embedder.name);
  return {
    meaning: createMeaning(deps, { embedder, search_timeout_ms, problem: worker.problem }),
    model: embedder.name,
    wake: worker.wake,
    warm: () => embedder.warm?.(),
    loading: () => embedder.loading?.() ?? null,
    problem: worker.problem,
    progress: async () => {
      const space = await spaceOf();
      return space === null ? null : deps.store.vectors.progress(space);
    },
    isComplete: async () => (await spaceOf())?.complete ?? false,
    restart: async () => {
      const space = await spaceOf();
      if (space !== null) await deps.store.vectors.restartSpace(space);
      worker.wake();
    },
    stop: async () => {
      await worker.stop();
      await embedder.close();
    },
  };
}
