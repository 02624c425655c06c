import { invalid } from '../../contract/errors.ts';
import { cleanText, oneLine } from '../../contract/schemas/text.ts';
import type { ProjectName, StoredProject, Tables } from '../ports/index.ts';

type ProjectTables = Pick<Tables, 'projects'>;

/** What a name finds; where it finds nothing, `seen` are the names of some that there are. */
export type NamedProject = { project: StoredProject | null; seen: string[] };

/** The project of this name; `invalid` where several have it. */
export async function findNamedProject(
  { projects }: ProjectTables,
  wanted: ProjectName,
): Promise<NamedProject> {
  const all = await projects.listByName(wanted, shownProjectsMax);
  const matches = all.filter(({ name }) => name === wanted.name);
  if (matches.length > 1) {
    const ids = matches.map(({ project_id }) => project_id).join(', ');
    throw invalid('project_id', `several projects have this name; name one by its id: ${ids}`);
  }
  return { project: matches[0] ?? null, seen: all.map(({ name }) => name) };
}

const shownProjectsMax = 5;

/** The project of this id, otherwise the one of this name; without either, the oldest. */
export async function findByIdOrName(
  tables: ProjectTables,
  { org_id, project_id }: { org_id: string | null; project_id: string | null },
): Promise<NamedProject> {
  const organization = org_id === null ? {} : { org_id };
  const id = project_id === null ? {} : { project_id };
  const project = await tables.projects.find({ ...organization, ...id });
  if (project !== null || project_id === null) return { project, seen: [] };
  return findNamedProject(tables, { ...organization, name: project_id });
}

/** For an error about a project that is missing. */
export function describeProjects(names: readonly string[]): string {
  if (names.length === 0) return 'There are no projects here.';
  return `Projects: ${names.map((name) => JSON.stringify(oneLine(cleanText(name)))).join(', ')}.`;
}

export async function isNameTaken(
  { projects }: ProjectTables,
  { org_id, name }: { org_id: string; name: string },
): Promise<boolean> {
  const [first] = await projects.listByName({ org_id, name }, 1);
  return first?.name === name;
}

/**
 * Throws `invalid` where a project of the organization has the name. In the transaction that takes
 * it, because those who change tenants take turns.
 */
export async function checkNameIsFree(
  tables: ProjectTables,
  place: { org_id: string; name: string },
): Promise<void> {
  if (!(await isNameTaken(tables, place))) return;
  throw invalid('name', 'is taken by another project of the organization; choose another');
}
