import { ApiError } from '../../contract/errors.ts';
import { schemaVersion, versionProblem } from '../migrations/versions.ts';

/** Refuses a store of another schema, because the tables are read as this version defines them. */
export function checkSourceSchema({ version, shown }: { version: number; shown: string }): void {
  if (version === 0) throw new ApiError('not_found', `${shown} holds no store`);
  const problem = versionProblem(version, 'move another store');
  if (problem !== null) throw new ApiError('unavailable', `${shown} ${problem}`);
  if (version < schemaVersion) {
    throw new ApiError(
      'unavailable',
      `${shown} was written by an older mneme (schema ${version}; this one writes ` +
        `${schemaVersion})`,
      { next: 'Start this version on it once to upgrade it; then move it.' },
    );
  }
}
