import {
  type CatalogModel,
  catalog,
  hubNameOf,
  type SearchQuality,
  tableModel,
  wordsQuality,
} from '../../app/model-catalog.ts';
import { inspectModels } from '../../app/model-downloads.ts';
import type { Config } from '../../config/options.ts';
import { formatColumns, wrapText } from '../io/output.ts';

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

/** What searches use besides words, by its short name where it has one. */
export function nameInUse(config: Config): string {
  const { embedder_url, embedder_model, local_embedder, static_embedder } = config;
  if (embedder_url !== null) return [embedder_model, embedder_url].filter(Boolean).join(' at ');
  if (local_embedder !== null) return findByHubName(local_embedder)?.name ?? local_embedder;
  return static_embedder ? tableModel.name : 'words';
}

function findByHubName(local_embedder: string): CatalogModel | undefined {
  return catalog.find((model) => [model.model, hubNameOf(model)].includes(local_embedder));
}

export function formatModels({ in_use, runtime, models, words }: ModelList): string {
  const rows = models.map((one) => [
    one.name,
    one.in_use ? 'in use' : one.installed ? 'installed' : '',
    one.download_bytes === 0 ? 'none' : `${Math.round(one.download_bytes / 1_000_000)} MB`,
    String(one.dimensions),
    ...qualityCells(one.measured),
    one.languages,
  ]);
  const figures = ['ENGLISH', 'OTHERS', 'LOCOMO'];
  const head = ['MODEL', '', 'DOWNLOAD', 'DIMENSIONS', ...figures, 'LANGUAGES'];
  const other = models.some((one) => one.in_use)
    ? []
    : [`In use: ${in_use === 'words' ? 'words only' : in_use}.`];
  const legend =
    'ENGLISH and OTHERS: percent of questions in other words that are answered within 5 results, ' +
    'in English and in 8 other languages. LOCOMO: percent of the evidence of its questions within ' +
    `10 results. By words alone: ${qualityCells(words).join(', ')}. A dash: not measured.`;
  const runtimeState = runtime.installed
    ? 'The package that runs models is installed.'
    : 'The package that runs models (500 MB on disk) is fetched with the first of them.';
  const hint = 'mneme models use NAME switches to a model, mneme models off back to the table.';
  const notes = [...other, legend, runtimeState, hint].flatMap((text) => wrapText(text, 98));
  return [formatColumns([head, ...rows]), '', ...notes.map((line) => `  ${line}`)].join('\n');
}

function qualityCells(measured: SearchQuality | null): string[] {
  if (measured === null) return ['-', '-', '-'];
  const { english, other_languages, locomo } = measured;
  return [String(english), String(other_languages), locomo?.toFixed(1) ?? '-'];
}
