import type { Config } from '../../config/options.ts';
import type { Embedder, Reranker } from '../../core/ports/index.ts';
import type { Log } from '../../log.ts';
import { createHttpEmbedder } from '../../providers/models/http-embedder.ts';
import { createHttpReranker } from '../../providers/models/http-reranker.ts';
import { createLocalEmbedder } from '../../providers/models/local/local-embedder.ts';
import { createLocalReranker } from '../../providers/models/local/local-reranker.ts';
import { openHttpPool } from '../http-pool.ts';
import { localModelOptions, rerankerSpec } from './local-model-options.ts';
import { createModelPost } from './model-post.ts';

type SearchModelContext = {
  log: Log;
  /** Whether a local model may be downloaded; otherwise it must be on disk already. */
  download?: boolean;
};

/** The configured embedding model, or null. */
export function openEmbedder(config: Config, given: SearchModelContext): Embedder | null {
  const { embedder_url: url, embedder_model: model, embedder_dimensions: dimensions } = config;
  const prefixes = {
    question: config.embedder_query_prefix,
    memory: config.embedder_memory_prefix,
  };
  if (config.local_embedder !== null) {
    const { local_pooling: pooling } = config;
    const spec = {
      task: 'embed',
      model: config.local_embedder,
      pooling,
      prefixes,
      dimensions,
    } as const;
    return createLocalEmbedder({ kind: 'embedder', ...localModelOptions(config, given, spec) });
  }
  if (url === null) return null;
  const { embedder_api_key: api_key, embedder_timeout_ms: timeout_ms } = config;
  const connection = openHttpPool({ url, timeout_ms });
  const post = createModelPost({ kind: 'embedder', url, api_key, timeout_ms, connection });
  return createHttpEmbedder({ post, close: connection.close, model, dimensions, prefixes });
}

/** The configured reranker, or null. */
export function openReranker(config: Config, given: SearchModelContext): Reranker | null {
  const { reranker_url: url, reranker_model: model, reranker_api_key: api_key } = config;
  const { reranker_timeout_ms: timeout_ms } = config;
  if (config.local_reranker !== null) {
    const spec = { ...rerankerSpec, model: config.local_reranker };
    return createLocalReranker({
      kind: 'reranker',
      timeout_ms,
      ...localModelOptions(config, given, spec),
    });
  }
  if (url === null) return null;
  const connection = openHttpPool({ url, timeout_ms });
  const post = createModelPost({ kind: 'reranker', url, api_key, timeout_ms, connection });
  return createHttpReranker({ post, close: connection.close, model });
}
