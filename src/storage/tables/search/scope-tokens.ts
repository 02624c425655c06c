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

/**
 * Groups of tokens: a memory must have one of each group. Null if none can match. Tokens that all
 * memories of the store have are left out: looking for them takes several times as long as for the
 * words.
 */
export async function findScopeTokens(
  at: DbContext,
  project: ProjectRef,
  filter: Filter,
): Promise<string[][] | null> {
  const groups: number[][] = [];
  for (const entities of requiredEntitiesIn(filter)) {
    const keys = await findEntityKeys(at, project, entities);
    if (keys.length === 0) return null;
    groups.push(keys);
  }
  const isAlone = (await findOtherProject(at, { key: project.key })).length === 0;
  const telling: number[][] = [];
  for (const keys of groups)
    if (!isAlone || !(await haveAll(at, project, keys))) telling.push(keys);
  // Entities belong to a project: the much more frequent project token would add nothing.
  if (telling.length === 0 && !isAlone) return [[projectToken(project)]];
  return telling.map((keys) => keys.map(entityToken));
}

/** True if an entity has all memories of its project. */
async function haveAll(
  at: DbContext,
  project: ProjectRef,
  [key, ...others]: readonly number[],
): Promise<boolean> {
  if (key === undefined || others.length > 0) return false;
  const [more] = await findProjectWithMore(at, { key: project.key, entity: key });
  return more === undefined;
}

/** Finds the project if it has more memories than one of its entities. */
const findProjectWithMore = prepareStatement(
  (db, value: StatementParameters<{ key: number; entity: number }>) =>
    db
      .selectFrom('projects')
      .innerJoin('entities', 'entities.project_key', 'projects.key')
      .select('projects.key')
      .where('projects.key', '=', value('key'))
      .where('entities.key', '=', value('entity'))
      .whereRef('projects.total_memories', '>', 'entities.total_memories'),
);

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
