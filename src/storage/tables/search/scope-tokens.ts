import type { Filter } from '../../../contract/schemas/filter.ts';
import { requiredEntitiesIn } from '../../../contract/schemas/filter-entity-ids.ts';
import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { findEntityKeys } from '../entities/entity-keys.ts';

/** Under which words the index finds a memory as this project's and these entities'. */
export function scopeTokens(
  project: Pick<ProjectRef, 'key'>,
  entityKeys: readonly number[],
): string[] {
  return [projectToken(project), ...entityKeys.map(entityToken)];
}

/** Groups of tokens, one of each of which a memory needs; null when none can have them all. */
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
  // Entities are a project's own: the much more frequent token of the project adds nothing to them.
  if (groups.length > 0) return groups;
  // Where there is no other, it would only triple what a match costs.
  const [other] = await findOtherProject(at, { key: project.key });
  return other === undefined ? [] : [[projectToken(project)]];
}

/** Another project that has memories. */
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
