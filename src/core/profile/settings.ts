import type { Output, Parsed } from '../../contract/index.ts';
import type { Deps, Project } from '../ports.ts';

export type ProfileSettings = Output<'get_profile_settings'>;
export type ProfileSettingsPatch = Omit<Parsed<'update_profile_settings'>, 'org_id' | 'project_id'>;

/** On by default: without a model a profile costs one read, and is made when it is asked for. */
const defaultSettings: ProfileSettings = { enabled: true, entities: {} };

export async function findSettings(
  { documents }: Pick<Deps['store'], 'documents'>,
  project: Project,
): Promise<ProfileSettings> {
  const stored = await documents.find<ProfileSettings>(project, 'profile_settings', settingsId);
  return stored ?? defaultSettings;
}

/** A project has one document of settings. */
export const settingsId = 'settings';
