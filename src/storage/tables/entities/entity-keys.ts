import { sql } from 'kysely';
import {
  type EntityIds,
  type EntityType,
  typedIdFields,
} from '../../../contract/schemas/entity.ts';
import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';

/** The keys of those entities that exist. */
export async function findEntityKeys(
  at: DbContext,
  project: ProjectRef,
  { type, ids }: { type: EntityType; ids: readonly string[] },
): Promise<number[]> {
  const [id = '', ...more] = ids;
  const rows =
    more.length === 0
      ? await findEntityKey(at, { project_key: project.key, type, id })
      : await at.db
          .selectFrom('entities')
          .select('key')
          .where('project_key', '=', project.key)
          .where('type', '=', type)
          .where(at.dialect.filter.isIn(sql.ref('entities.id'), ids))
          .execute();
  return rows.map(({ key }) => key);
}

/** Nearly every search and update names one entity, so this statement is prepared. */
const findEntityKey = prepareStatement(
  (db, value: StatementParameters<EntityTypeAndId & { project_key: number }>) =>
    db
      .selectFrom('entities')
      .select('key')
      .where('project_key', '=', value('project_key'))
      .where('type', '=', value('type'))
      .where('id', '=', value('id')),
);

export type EntityTypeAndId = { type: EntityType; id: string };

/** The entities that ids name, in the order of their types. */
export function entityRefsOf(ids: Partial<EntityIds>): EntityTypeAndId[] {
  return typedIdFields.flatMap(({ type, field }) => {
    const id = ids[field];
    return id === null || id === undefined ? [] : [{ type, id }];
  });
}
