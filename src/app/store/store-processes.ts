import type { Config } from '../../config/options.ts';
import { otherProcessesUsingStore } from '../../storage/store.ts';

/** Other processes that have the store open; null where that can't be known. */
export function otherStoreProcesses({
  data_dir,
  database_url,
}: Pick<Config, 'data_dir' | 'database_url'>): number[] | null {
  const canKnow = database_url === null && process.platform === 'linux';
  return canKnow ? otherProcessesUsingStore({ data_dir }) : null;
}
