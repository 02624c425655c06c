import type { Filter } from '../../../contract/schemas/filter.ts';
import { requiredEntitiesIn } from '../../../contract/schemas/filter-entity-ids.ts';
import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { findEntityKeys } from '../entities/entity-keys.ts';

/** The tokens under which the index finds a memory of this project and these entities. */
export function scopeTokens(
  project: Pick<ProjectRef, 'key'>,
  entityKeys: readonly number[],
): string[] {
  return [projectToken(project), ...entityKeys.map(entityToken)];
}

/** Groups of tokens, of each of which a memory must have one; null if none can match. */
export async function findScopeTokens(
  at: DbContext,
  project: ProjectRef,
  filter: Filter,
): Promise<string[][] | null> {
  const groups: string[][] = [];
  for (const entities of requiredEntitiesIn(filter)) {
    const keys = await findEntityKeys(at, project, entities);
    if (keys.length === 0) return null;
    groups.push(keys.map(entityToken));
  }
  // Entities belong to a project: the much more frequent project token would add nothing.
  if (groups.length > 0) return groups;
  // With only one project, its token would only triple the cost of a match.
  const [other] = await findOtherProject(at, { key: project.key });
  return other === undefined ? [] : [[projectToken(project)]];
}

/** Finds another project that has memories. */
const findOtherProject = prepareStatement((db, value: StatementParameters<{ key: number }>) =>
  db
    .selectFrom('projects')
    .select('key')
    .where('key', '!=', value('key'))
    .where('total_memories', '>', 0)
    .limit(1),
);

function projectToken(project: Pick<ProjectRef, 'key'>): string {
  return `p${project.key}`;
}

function entityToken(key: number): string {
  return `e${key}`;
}
