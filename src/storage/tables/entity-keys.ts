import { sql } from 'kysely';
import {
  type EntityIds,
  type EntityType,
  entityIdField,
  entityTypes,
} from '../../contract/schemas/entity.ts';
import type { Project } from '../../core/ports.ts';
import { prepared, type Values } from '../prepared.ts';
import type { At } from './at.ts';

/** The short numbers of those entities that exist. */
export async function findEntityKeys(
  at: At,
  project: Project,
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

/** Nearly every search and every update names one: that one is built once. */
const findEntityKey = prepared((db, value: Values<EntityRef & { project_key: number }>) =>
  db
    .selectFrom('entities')
    .select('key')
    .where('project_key', '=', value('project_key'))
    .where('type', '=', value('type'))
    .where('id', '=', value('id')),
);

export type EntityRef = { type: EntityType; id: string };

const fields = entityTypes.map((type) => ({ type, field: entityIdField(type) }));

/** The entities that ids name, in the order of the types. */
export function entitiesOf(ids: Partial<EntityIds>): EntityRef[] {
  return fields.flatMap(({ type, field }) => {
    const id = ids[field];
    return id === null || id === undefined ? [] : [{ type, id }];
  });
}
