import type { Config } from '../../config/options.ts';
import {
  type CatalogModel,
  catalog,
  hubNameOf,
  type SearchQuality,
  tableModel,
  wordsQuality,
} from './model-catalog.ts';
import { inspectModels } from './model-downloads.ts';

/** One way to find memories by meaning, as `mneme models --json` lists it. */
export type ListedModel = {
  name: string;
  in_use: boolean;
  installed: boolean;
  /** The size of the download in bytes, with local_dtype fp32. */
  download_bytes: number;
  dimensions: number;
  languages: string;
  measured: SearchQuality | null;
  /** The value of local_embedder; null for the table. */
  local_embedder: string | null;
};

export type ModelList = {
  /** The name of a listed model, otherwise the configured one; `words` for none. */
  in_use: string;
  runtime: { installed: boolean; folder: string };
  models: ListedModel[];
  /** Search without any of them. */
  words: SearchQuality;
};

/** What `mneme models use` offers, and what is in use. */
export function listModels(config: Config): ModelList {
  const in_use = nameInUse(config);
  const { runtime, downloaded } = inspectModels(config, catalog);
  const table = { ...tableModel, in_use: in_use === tableModel.name };
  return {
    in_use,
    runtime: { installed: runtime, folder: config.local_models_dir },
    models: [
      { ...table, installed: true, download_bytes: 0, local_embedder: null },
      ...catalog.map((model) => ({
        name: model.name,
        in_use: in_use === model.name,
        installed: downloaded.includes(model.name),
        download_bytes: model.bytes,
        dimensions: model.dimensions,
        languages: model.languages,
        measured: model.measured,
        local_embedder: hubNameOf(model),
      })),
    ],
    words: wordsQuality,
  };
}

/** The embedder that searches use, by its short name if it has one. */
export function nameInUse(config: Config): string {
  const { embedder_url, embedder_model, local_embedder, static_embedder } = config;
  if (embedder_url !== null) return [embedder_model, embedder_url].filter(Boolean).join(' at ');
  if (local_embedder !== null) return findByHubName(local_embedder)?.name ?? local_embedder;
  return static_embedder ? tableModel.name : 'words';
}

function findByHubName(local_embedder: string): CatalogModel | undefined {
  return catalog.find((model) => [model.model, hubNameOf(model)].includes(local_embedder));
}
