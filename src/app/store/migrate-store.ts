import { statSync } from 'node:fs';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { storePath } from '../../storage/store.ts';
import type {
  StoreLocation,
  TransferOptions,
  TransferReport,
} from '../../storage/transfer/transfer.ts';

export type { TransferProgress, TransferReport } from '../../storage/transfer/transfer.ts';

type ConfiguredStore = Pick<Config, 'data_dir' | 'database_url'>;

/** Copies one store into an empty one; `from` and `to` default to the configured store. */
export async function migrateStore(
  config: ConfiguredStore,
  {
    from,
    to,
    ...options
  }: StrictOmit<TransferOptions, 'from' | 'to'> & Record<'from' | 'to', string | null>,
): Promise<TransferReport> {
  if (from === null && to === null) {
    throw new ApiError('invalid', '--from or --to is required: name the other store', {
      next: 'Write sqlite:FILE or postgres://user@host/name.',
    });
  }
  const ends = {
    from: resolveStoreLocation('--from', from, config),
    to: resolveStoreLocation('--to', to, config),
  };
  const { transferStore } = await import('../../storage/transfer/transfer.ts');
  return transferStore({ ...options, ...ends });
}

/**
 * The store that a flag names, or the configured one. Errors do not repeat the address, because it
 * may hold a password.
 */
function resolveStoreLocation(
  flag: string,
  named: string | null,
  config: ConfiguredStore,
): StoreLocation {
  if (named === null) {
    return config.database_url === null
      ? { path: storePath(config.data_dir) }
      : { url: config.database_url };
  }
  if (/^postgres(ql)?:\/\//.test(named)) return { url: named };
  const [, path = ''] = /^sqlite:(.+)$/.exec(named) ?? [];
  if (path !== '') return { path: storeFileIn(path) };
  throw new ApiError('invalid', `${flag}: must be sqlite:FILE or postgres://user@host/name`);
}

/** Accepts a data folder or the file in it. */
function storeFileIn(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? storePath(path) : path;
}
