import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environment } from '../../config/environment.ts';
import type { Config } from '../../config/options.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Log } from '../../log.ts';
import type { LocalModelOptions } from '../../providers/models/local/local-model.ts';
import type { ModelSettings } from '../../providers/models/local/process-messages.ts';

type LocalModelContext = { log: Log; download?: boolean };

/** The settings of one model, in addition to those of all local models. */
type LocalModelSpec = Pick<ModelSettings, 'task' | 'model' | 'pooling' | 'prefixes' | 'dimensions'>;

/** A reranker has no settings of an embedder. */
export const rerankerSpec = {
  task: 'rerank' as const,
  pooling: null,
  dimensions: null,
  prefixes: { question: null, memory: null },
};

export function localModelOptions(
  config: Config,
  { log, download = true }: LocalModelContext,
  spec: LocalModelSpec,
): StrictOmit<LocalModelOptions, 'kind'> {
  const { local_dtype: dtype, local_models_dir, local_hub_url } = config;
  const isFolder = isAbsolute(spec.model);
  const [name = '', revision = 'main'] = isFolder ? [spec.model] : spec.model.split('@');
  const common = { dtype, models_dir: local_models_dir, hub_url: local_hub_url, download };
  const settings = { ...spec, ...common, threads: threadCount(), model: name, isFolder, revision };
  return { settings, file: modelProcessFile(), env: modelProcessEnv(), log };
}

/**
 * One core stays free for this program and for others on the machine. Node.js counts the cores that
 * the process may use, so `taskset` or a container's cpuset limits the threads.
 */
function threadCount(): number {
  return Math.min(8, Math.max(1, availableParallelism() - 1));
}

/**
 * The file next to the program or the library; sources, and programs that `scripts/run-ts.mjs`
 * makes of them, use the one of the last build.
 */
function modelProcessFile(): string {
  const places = ['../', './', '../../../dist/', '../../dist/'].map((place) => {
    return fileURLToPath(new URL(`${place}model-process.mjs`, import.meta.url));
  });
  return places.find((place) => existsSync(place)) ?? 'model-process.mjs';
}

/** The model's process gets none of the configuration, above all no keys. */
export function modelProcessEnv(): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('MNEME_'));
  // Makes recent versions of Node.js use the proxy of the environment.
  return { ...Object.fromEntries(others), NODE_USE_ENV_PROXY: '1' };
}
