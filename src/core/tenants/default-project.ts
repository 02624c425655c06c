import type { StoredProject, Tables } from '../ports/index.ts';

/**
 * The project of an account's requests that name none: the oldest one of the first place that it
 * accepted; null without such a place.
 */
export async function findDefaultProject(
  account_id: string,
  { members, projects }: Pick<Tables, 'members' | 'projects'>,
): Promise<StoredProject | null> {
  for (const tenant of await members.listTenants(account_id)) {
    const all = await projects.list(tenant.org_id);
    const own = all.find(({ key }) => tenant.project_key === null || tenant.project_key === key);
    if (own !== undefined) return own;
  }
  return null;
}
