import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';

/** Throws `forbidden` if the configuration locks entities: an archive is of a whole project. */
export function requireOpenScope(config: Config): void {
  const locked = entityIdFields.filter((field) => config.lock_scope && config[field] !== null);
  if (locked.length === 0) return;
  const problem = `lock_scope fixes ${locked.join(', ')}, and an export holds memories of others too`;
  throw new ApiError('forbidden', problem, { next: 'Run it with --no-lock-scope.' });
}
