import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maskSecrets } from '../config/load-config.ts';
import type { Config } from '../config/options.ts';
import type { Installation, Store } from '../core/ports/index.ts';
import { version } from '../version.ts';
import type { SemanticSearch } from './models/semantic-search.ts';

type InstallationParts = {
  store: Store;
  semantics: SemanticSearch | null;
  /** Where each value of the configuration was set. */
  sources: Readonly<Record<string, string>>;
};

/** What this program knows of its machine, for the owner of the store. */
export function openInstallation(
  config: Config,
  { store, semantics, sources }: InstallationParts,
): Installation {
  return {
    get configuration() {
      return { version, values: maskSecrets(config), sources };
    },

    models: async () => {
      const { listModels } = await import('./models/list-models.ts');
      const progress = (await semantics?.progress()) ?? null;
      const embedding =
        progress === null ? null : { pending: progress.pending, total: progress.total };
      const { llm_url, llm_model } = config;
      return {
        ...listModels(config),
        embedding,
        language_model: llm_url === null ? null : (llm_model ?? llm_url),
      };
    },

    backUp: async (now) => {
      const folder = join(config.data_dir, 'backups');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `mneme-${now.replaceAll(/[:.]/g, '-')}.db`);
      await store.backup(file);
      return { file, bytes: (await stat(file)).size };
    },
  };
}
