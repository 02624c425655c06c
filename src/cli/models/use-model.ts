import { nameInUse } from '../../app/models/list-models.ts';
import { type CatalogModel, hubNameOf } from '../../app/models/model-catalog.ts';
import { type FetchedFile, fetchModel } from '../../app/models/model-downloads.ts';
import { tryEmbedder } from '../../app/models/try-embedder.ts';
import { otherStoreProcesses } from '../../app/store/store-processes.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { createCommandLog } from '../context/command-config.ts';
import { createProgressReporter } from '../io/progress.ts';
import { checkOptionFree, type OptionChanges, writeConfigOptions } from './config-option.ts';
import { reindexMemories } from './reindex-memories.ts';

/** What a switch has changed, as `--json` prints it. */
export type ModelSwitch = {
  in_use: string;
  config_file: string;
  /** Whether the file was changed: not if it said so already. */
  config_changed: boolean;
  local_embedder: string | null;
  files: FetchedFile[];
  /** Null if no model embeds them: searches match words only. */
  memories: number | null;
  /** Processes that search as before until they are restarted; null where that is not known. */
  restart: number[] | null;
  notes: string[];
};

/** Fetches a model, configures it, and embeds all memories with it. */
export async function useModel(loaded: LoadedConfig, model: CatalogModel): Promise<ModelSwitch> {
  checkSwitchable(loaded);
  const report = createProgressReporter();
  const onProgress = (words: string) => report(() => words);
  const files = await fetchModel(loaded.values, model, { onProgress });
  const local_embedder = hubNameOf(model);
  const next = withEmbedder(loaded, local_embedder);
  // A model that can't be loaded here must not get into the configuration.
  await tryEmbedder(next.values, createCommandLog(loaded));
  return { ...(await switchTo(next)), files };
}

/** Goes back to the table of the package. */
export async function useTable(loaded: LoadedConfig): Promise<ModelSwitch> {
  checkSwitchable(loaded);
  return switchTo(withEmbedder(loaded, null));
}

async function switchTo(next: LoadedConfig): Promise<ModelSwitch> {
  const { values, own_file } = next;
  const { local_embedder } = values;
  const changes = { ...(local_embedder !== null && flagOptions(next)), local_embedder };
  const config_changed = await writeConfigOptions(own_file, changes);
  const hasVectors = local_embedder !== null || values.static_embedder;
  return {
    in_use: nameInUse(values),
    config_file: own_file,
    config_changed,
    local_embedder,
    files: [],
    memories: hasVectors ? (await reindexMemories(next)).memories : null,
    restart: otherStoreProcesses(values),
    notes: notesOn(next),
  };
}

/** Options that decide which files are loaded; the file must say what a flag said now. */
const fileOptions = ['local_models_dir', 'local_hub_url', 'local_dtype'] as const;

function flagOptions({ values, sources }: LoadedConfig): OptionChanges {
  const options = fileOptions.filter((name) => sources[name].startsWith('flag '));
  return Object.fromEntries(options.map((name) => [name, values[name]]));
}

/** Throws `conflict` if another source or another embedder would win over the file. */
function checkSwitchable(loaded: LoadedConfig): void {
  checkOptionFree(loaded, 'local_embedder');
  const { values, sources } = loaded;
  if (values.embedder_url === null) return;
  throw new ApiError('conflict', `embedder_url is set by ${sources.embedder_url}`, {
    next: 'Only one embedder can be used: remove embedder_url there, then run this again.',
  });
}

function withEmbedder(loaded: LoadedConfig, local_embedder: string | null): LoadedConfig {
  return { ...loaded, values: { ...loaded.values, local_embedder } };
}

/** Options that were set for another model and hold for this one too. */
const embedderSettings = [
  'local_pooling',
  'embedder_query_prefix',
  'embedder_memory_prefix',
  'embedder_dimensions',
] as const satisfies readonly (keyof Config)[];

function notesOn({ values, sources }: LoadedConfig): string[] {
  if (values.local_embedder === null) {
    return values.static_embedder
      ? []
      : [`searches match words only: static_embedder is false (${sources.static_embedder})`];
  }
  return embedderSettings
    .filter((name) => values[name] !== null)
    .map((name) => `${name} holds for this model too (${sources[name]})`);
}
