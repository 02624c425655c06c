import { ApiError } from '../../../contract/errors.ts';
import { defaultProjectSettings } from '../../../contract/schemas/project.ts';
import type { Instant, ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { getFirstAccount } from './accounts.ts';
import { putMember } from './members.ts';
import { findOrganization, insertOrganization } from './organizations.ts';
import { findProject, insertProject, listProjectsByName } from './projects.ts';

export type NewProject = { org_id: string; project_id: string; now: Instant };

/**
 * Finds the project by its id or its name, or creates it and its organization, which the first
 * account then owns.
 */
export async function findOrCreateProject(at: DbContext, project: NewProject): Promise<ProjectRef> {
  const { org_id, project_id, now } = project;
  const existing = await findProject(at, { project_id });
  if (existing?.org_id === org_id) return toProjectRef(existing);
  if (existing !== null) throw new ApiError('conflict', 'project_id is taken; choose another');
  const [first] = await listProjectsByName(at, { org_id, name: project_id }, 1);
  if (first?.name === project_id) return toProjectRef(first);
  if ((await findOrganization(at, org_id)) === null) await createOrganization(at, { org_id, now });
  const times = { created_at: now, updated_at: now };
  const newProject = { org_id, project_id, name: project_id, description: '' };
  return toProjectRef(
    await insertProject(at, { ...newProject, settings: defaultProjectSettings, ...times }),
  );
}

async function createOrganization(
  at: DbContext,
  { org_id, now }: { org_id: string; now: Instant },
) {
  const { account_id } = await getFirstAccount(at);
  await insertOrganization(at, {
    org_id,
    name: org_id,
    description: '',
    address: '',
    contact_email: '',
    phone_number: '',
    website: '',
    owner_id: account_id,
    created_at: now,
    updated_at: now,
  });
  await putMember(at, { org_id, project_key: null }, { account_id, role: 'OWNER', now });
}

export function toProjectRef({ key, org_id, project_id }: ProjectRef): ProjectRef {
  return { key, org_id, project_id };
}
