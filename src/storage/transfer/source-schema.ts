import { ApiError } from '../../contract/errors.ts';
import { schemaVersion } from '../migrations/migrate.ts';

/** Only a store of this schema is moved: its tables are read as this version knows them. */
export function checkSourceSchema({ version, shown }: { version: number; shown: string }): void {
  if (version === 0) throw new ApiError('not_found', `${shown} holds no store`);
  if (version > schemaVersion) {
    throw new ApiError(
      'unavailable',
      `${shown} was written by a newer mneme (schema ${version}; this one knows up to ` +
        `${schemaVersion}); nothing was changed: update mneme`,
    );
  }
  if (version < schemaVersion) {
    throw new ApiError(
      'unavailable',
      `${shown} was written by an older mneme (schema ${version}; this one writes ` +
        `${schemaVersion})`,
      { next: 'Start this version on it once, which brings it up to date; then move it.' },
    );
  }
}
