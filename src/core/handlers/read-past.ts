import { invalid } from '../../contract/errors.ts';
import type { Deps, Instant, ProjectRef, Selection } from '../ports/index.ts';

type PastInput = { as_of?: string | undefined; enable_graph?: boolean };

/** The time that a read asks about, and how to search it; null for the present. */
export async function readPast(
  deps: Deps,
  project: ProjectRef,
  { as_of: said, enable_graph = false }: PastInput,
): Promise<{ as_of: Instant; depsFor(selection: Selection): Promise<Deps> } | null> {
  if (said === undefined) return null;
  if (enable_graph) throw invalid('enable_graph', 'relations are those of today; leave out as_of');
  const { resolveAsOf } = await import('../versions/as-of.ts'); // few reads are of the past
  const as_of = await resolveAsOf(deps, project, { as_of: said });
  return {
    as_of,
    depsFor: async (selection) => {
      const { depsAsOf } = await import('../versions/past-tables.ts');
      return depsAsOf(deps, { project, selection, as_of });
    },
  };
}
