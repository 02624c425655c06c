import { join } from 'node:path';
import * as z from 'zod';
import { option } from './option.ts';
import { userFolders } from './user-folders.ts';

/** Base address of a service; the path of a request is appended to it. */
export const ServiceUrl = z
  .string()
  .regex(
    /^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/,
    'must be an http or https address without user, query or fragment',
  );

const hubName = /(?!.*\.\.)[\w-][\w.-]*(\/[\w-][\w.-]*)?(@[\w-][\w./-]*)?/;
const folderPath = /(\.{0,2}[\\/]|~[\\/]|[a-z]:[\\/]).*/;

/** The name of a model on a hub, with an optional revision, or the path of a folder. */
const LocalModelName = z
  .string()
  .max(4096)
  .regex(
    new RegExp(`^(${hubName.source}|${folderPath.source})$`, 'i'),
    'must be a name such as Xenova/all-MiniLM-L6-v2, NAME@REVISION, or a folder such as ./model',
  );

/** Text that a model expects before a query or a memory. */
const TextPrefix = z.string().max(1000);

/** The default folders of models, as the docs show them. */
const shownModelFolders =
  '~/.cache/mneme/models (Linux), ~/Library/Caches/mneme/models (macOS), ' +
  '%LOCALAPPDATA%\\mneme\\Cache\\models (Windows)';

/** Models that the engine uses. */
export const modelOptions = {
  static_embedder: option(z.boolean(), {
    default: true,
    description:
      'Also search by meaning, using the word vectors shipped with mneme, unless another ' +
      'embedder is set.',
    engine: true,
    fromProject: 'refused',
  }),
  embedder_url: option(ServiceUrl, {
    default: null,
    description: 'OpenAI-compatible service, up to /v1, whose embeddings find memories by meaning.',
    engine: true,
    fromProject: 'refused',
  }),
  embedder_model: option(z.string().min(1).max(255), {
    default: null,
    description: 'Name of the embedding model at embedder_url.',
    engine: true,
    fromProject: 'refused',
  }),
  embedder_api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for embedder_url.',
    secret: true,
    engine: true,
    fromProject: 'refused',
  }),
  embedder_dimensions: option(z.int().min(1).max(16_384), {
    default: null,
    description: 'Length of the vectors to request, for models that can shorten them.',
    engine: true,
    fromProject: 'refused',
  }),
  embedder_query_prefix: option(TextPrefix, {
    default: null,
    description: 'Text that the embedding model expects before a query.',
    engine: true,
    fromProject: 'refused',
  }),
  embedder_memory_prefix: option(TextPrefix, {
    default: null,
    description: 'Text that the embedding model expects before a memory.',
    engine: true,
    fromProject: 'refused',
  }),
  embedder_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    description:
      'Longest time for the embedding model to read a batch of memories, in the background.',
    engine: true,
    fromProject: 'refused',
  }),
  reranker_url: option(ServiceUrl, {
    default: null,
    description: 'Service whose /rerank scores the results of a search with rerank.',
    engine: true,
    fromProject: 'refused',
  }),
  reranker_model: option(z.string().min(1).max(255), {
    default: null,
    description: 'Name of the reranking model at reranker_url.',
    engine: true,
    fromProject: 'refused',
  }),
  reranker_api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for reranker_url.',
    secret: true,
    engine: true,
    fromProject: 'refused',
  }),
  reranker_timeout_ms: option(z.int().min(10).max(60_000), {
    default: 3000,
    description:
      'Longest wait of a search with rerank for the reranker before it goes on without it.',
    engine: true,
    fromProject: 'refused',
  }),
  search_timeout_ms: option(z.int().min(10).max(60_000), {
    default: 1000,
    description: 'Longest wait of a search for the embedding model before it matches words only.',
    engine: true,
    fromProject: 'refused',
  }),
  local_embedder: option(LocalModelName, {
    default: null,
    description:
      'Embedding model to run on this machine: a name on the hub, NAME@REVISION, or a folder.',
    nameOrPath: true,
    engine: true,
    fromProject: 'refused',
  }),
  local_reranker: option(LocalModelName, {
    default: null,
    description: 'Reranking model to run on this machine, named as in local_embedder.',
    nameOrPath: true,
    engine: true,
    fromProject: 'refused',
  }),
  local_pooling: option(z.enum(['mean', 'cls', 'last']), {
    default: null,
    description:
      'Way local_embedder pools token vectors, if neither its files nor its name say so.',
    engine: true,
    fromProject: 'refused',
  }),
  local_dtype: option(z.enum(['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4']), {
    default: 'fp32',
    description: 'Number type of local models; it selects which of their files is loaded.',
    engine: true,
    fromProject: 'refused',
  }),
  local_models_dir: option(z.string().min(1), {
    default: { derive: () => join(userFolders().cache, 'models'), shown: shownModelFolders },
    description: 'Folder of downloaded models and of the package that runs them.',
    path: true,
    engine: true,
    fromProject: 'refused',
  }),
  local_hub_url: option(ServiceUrl, {
    default: 'https://huggingface.co',
    description: 'Hub to download local models from, or a mirror of it.',
    engine: true,
    fromProject: 'refused',
  }),
};

type ModelChoice<K extends 'embedder' | 'reranker'> = Record<
  `${K}_url` | `local_${K}`,
  string | null
>;

export function hasEmbedder({ embedder_url, local_embedder }: ModelChoice<'embedder'>): boolean {
  return embedder_url !== null || local_embedder !== null;
}

export function hasReranker({ reranker_url, local_reranker }: ModelChoice<'reranker'>): boolean {
  return reranker_url !== null || local_reranker !== null;
}
