import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { type Config, isOptionName } from '../config/options.ts';
import { createLog, type Log } from '../log.ts';
import type { Arguments } from './flags.ts';

/** Loads the configuration of a command line. */
export function configOf({ flags }: Pick<Arguments, 'flags'>): Promise<LoadedConfig> {
  const own = Object.entries(flags).filter(([name]) => isOptionName(name) || name === 'config');
  return loadConfig(Object.fromEntries(own));
}

export function logOf({ values }: LoadedConfig): Log {
  return createLog(values.log_level);
}

/** The configured ids, as faces take them. */
export function scopeOf({ org_id, project_id, ...config }: Config) {
  const { user_id, agent_id, app_id, run_id } = config;
  const ids = { org_id, project_id, user_id, agent_id, app_id, run_id };
  const set = Object.entries(ids).filter(([, id]) => id !== null);
  return Object.fromEntries(set) as Record<string, string>; // Only text is left.
}
