import { ApiError } from '../../contract/errors.ts';
import { schemaProblem, schemaVersion } from '../migrations/steps.ts';

/** Refuses a store of another schema, because the tables are read as this version defines them. */
export function checkSourceSchema({ version, shown }: { version: number; shown: string }): void {
  if (version === 0) throw new ApiError('not_found', `${shown} holds no store`);
  if (version === schemaVersion) return;
  const problem = schemaProblem({ version, elsewhere: 'a new store' });
  throw new ApiError('unavailable', `${shown} ${problem}`);
}
