import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { isOptionName } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { createLog, type Log } from '../../log.ts';
import type { CommandArguments } from '../command-line/flags.ts';

export function loadCommandConfig({
  flags,
}: Pick<CommandArguments, 'flags'>): Promise<LoadedConfig> {
  const configFlags = Object.entries(flags).filter(
    ([name]) => isOptionName(name) || name === 'config',
  );
  return loadConfig(Object.fromEntries(configFlags));
}

/** The configuration for a command that needs a local store. Throws `invalid` when it is remote. */
export async function loadLocalConfig(
  args: Pick<CommandArguments, 'flags'>,
  command: string,
): Promise<LoadedConfig> {
  const loaded = await loadCommandConfig(args);
  const { base_url } = loaded.values;
  if (base_url === null) return loaded;
  throw new ApiError('invalid', `mneme ${command} works on a local store, but base_url is set`, {
    next: `Unset it (${loaded.sources.base_url}), or run it where ${base_url} is served.`,
  });
}

/** The configuration for a command that needs a store in a file. */
export async function loadFileStoreConfig(
  args: Pick<CommandArguments, 'flags'>,
  command: string,
): Promise<LoadedConfig> {
  const loaded = await loadLocalConfig(args, command);
  if (loaded.values.database_url === null) return loaded;
  throw new ApiError(
    'invalid',
    `mneme ${command} works on a store in a file, but database_url is set`,
    {
      next: 'Use pg_dump and pg_restore for the database.',
    },
  );
}

export function createCommandLog({ values }: LoadedConfig): Log {
  return createLog(values.log_level);
}
