import type { StoredProject, Tables } from '../ports/index.ts';

/** Whether any project is left for requests that name none. */
export async function hasRemainingProject(
  { organizations, projects }: Pick<Tables, 'organizations' | 'projects'>,
  isGone: (project: StoredProject) => boolean,
): Promise<boolean> {
  for (const { org_id } of await organizations.list(null)) {
    const own = await projects.list(org_id);
    if (own.some((project) => !isGone(project))) return true;
  }
  return false;
}
