import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output, Parsed } from '../../contract.ts';
import type { Deps, ProjectRef } from '../ports/index.ts';

export type StoredProfileSettings = Output<'get_profile_settings'>;
export type ProfileSettingsPatch = StrictOmit<
  Parsed<'update_profile_settings'>,
  'org_id' | 'project_id'
>;

/** On by default: without a model a profile costs one read, and is made when it is asked for. */
const defaultProfileSettings: StoredProfileSettings = { enabled: true, entities: {} };

export async function getProfileSettings(
  { documents }: Pick<Deps['store'], 'documents'>,
  project: ProjectRef,
): Promise<StoredProfileSettings> {
  const stored = await documents.find<StoredProfileSettings>(
    project,
    'profile_settings',
    profileSettingsId,
  );
  return stored ?? defaultProfileSettings;
}

/** A project has one document of settings. */
export const profileSettingsId = 'settings';
