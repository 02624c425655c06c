import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { option } from './option.ts';
import { userFolders } from './user-folders.ts';

/** Where a service is: what is asked for is added to it. */
export const ServiceUrl = z
  .string()
  .regex(
    /^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/,
    'must be an http or https address without user, query or fragment',
  );

const hubName = /(?!.*\.\.)[\w-][\w.-]*(\/[\w-][\w.-]*)?(@[\w-][\w./-]*)?/;
const folderPath = /(\.{0,2}[\\/]|~[\\/]|[a-z]:[\\/]).*/;

/** A model of a hub, with a revision or without, or a folder, which begins as paths do. */
const LocalModelName = z
  .string()
  .max(4096)
  .regex(
    new RegExp(`^(${hubName.source}|${folderPath.source})$`, 'i'),
    'must be a name such as Xenova/all-MiniLM-L6-v2, NAME@REVISION, or a folder such as ./model',
  );

/** Texts that a model wants before a question or a memory. */
const TextPrefix = z.string().max(1000);

/** Where models are kept by default, for documents. */
const shownModelFolders =
  '~/.cache/mneme/models (Linux), ~/Library/Caches/mneme/models (macOS), ' +
  '%LOCALAPPDATA%\\mneme\\Cache\\models (Windows)';

/** Models that the engine asks. */
export const modelOptions = {
  embedder_url: option(ServiceUrl, {
    default: null,
    description:
      'Address of an OpenAI-compatible service, up to /v1, to find memories by meaning too.',
    engine: true,
  }),
  embedder_model: option(z.string().min(1).max(255), {
    default: null,
    description: 'Embedding model, as the service of embedder_url calls it.',
    engine: true,
  }),
  embedder_api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for embedder_url.',
    secret: true,
    engine: true,
  }),
  embedder_dimensions: option(z.int().min(1).max(16_384), {
    default: null,
    description: 'Length of the vectors to ask for, where the model can shorten them.',
    engine: true,
  }),
  embedder_query_prefix: option(TextPrefix, {
    default: null,
    description: 'Text that the embedding model wants before a question.',
    engine: true,
  }),
  embedder_memory_prefix: option(TextPrefix, {
    default: null,
    description: 'Text that the embedding model wants before a memory.',
    engine: true,
  }),
  embedder_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    description: 'How long the embedding model may take for some memories, in the background.',
    engine: true,
  }),
  reranker_url: option(ServiceUrl, {
    default: null,
    description: 'Address of a service whose /rerank judges what a search with rerank has found.',
    engine: true,
  }),
  reranker_model: option(z.string().min(1).max(255), {
    default: null,
    description: 'Reranking model, as the service of reranker_url calls it.',
    engine: true,
  }),
  reranker_api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for reranker_url.',
    secret: true,
    engine: true,
  }),
  reranker_timeout_ms: option(z.int().min(10).max(60_000), {
    default: 3000,
    description: 'How long a search with rerank waits for the reranker; then it goes without.',
    engine: true,
  }),
  search_timeout_ms: option(z.int().min(10).max(60_000), {
    default: 1000,
    description: 'How long a search waits for the embedding model; then it goes by words.',
    engine: true,
  }),
  local_embedder: option(LocalModelName, {
    default: null,
    description:
      'Embedding model to run on this machine: a name on the hub, NAME@REVISION, or a folder.',
    nameOrPath: true,
    engine: true,
  }),
  local_reranker: option(LocalModelName, {
    default: null,
    description:
      'Model to run here that judges what a search with rerank has found: as local_embedder.',
    nameOrPath: true,
    engine: true,
  }),
  local_pooling: option(z.enum(['mean', 'cls', 'last']), {
    default: null,
    description:
      'How local_embedder makes one vector of many, where neither it nor its name tells.',
    engine: true,
  }),
  local_dtype: option(z.enum(['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4']), {
    default: 'fp32',
    description: 'Kind of numbers of the local models: which of their files is loaded.',
    engine: true,
  }),
  local_threads: option(z.int().min(1).max(256), {
    default: { derive: defaultThreads, shown: 'one less than there are cores, at most 8' },
    description: 'Threads that each local model computes on.',
    engine: true,
  }),
  local_models_dir: option(z.string().min(1), {
    default: { derive: () => join(userFolders().cache, 'models'), shown: shownModelFolders },
    description: 'Folder of downloaded models, and of the package that runs them.',
    path: true,
    engine: true,
  }),
  local_hub_url: option(ServiceUrl, {
    default: 'https://huggingface.co',
    description: 'Address of the hub that local models come from, or of a mirror.',
    engine: true,
  }),
};

/** What is left keeps the program and others on the machine going. */
function defaultThreads(): number {
  return Math.min(8, Math.max(1, availableParallelism() - 1));
}

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

type OptionValues = Readonly<Record<string, unknown>>;

/** Options of which only one can be set, as problems by name. */
export function optionConflicts(values: OptionValues): [name: string, problem: string][] {
  return (['embedder', 'reranker'] as const).flatMap((kind): [string, string][] => {
    const [local, url] = [`local_${kind}`, `${kind}_url`];
    if ((values[local] ?? null) === null || (values[url] ?? null) === null) return [];
    return [[local, `can't be used together with ${url}: unset one of them`]];
  });
}
