import { sql } from 'kysely';
import {
  type EntityIds,
  type EntityType,
  entityIdField,
  entityTypes,
} from '../../contract/schemas/entity.ts';
import type { Project } from '../../core/ports.ts';
import type { At } from './at.ts';

/** The short numbers of those entities that exist. */
export async function findEntityKeys(
  { db, dialect }: At,
  project: Project,
  { type, ids }: { type: EntityType; ids: readonly string[] },
): Promise<number[]> {
  const rows = await db
    .selectFrom('entities')
    .select('key')
    .where('project_key', '=', project.key)
    .where('type', '=', type)
    .where(dialect.filter.isIn(sql.ref('entities.id'), ids))
    .execute();
  return rows.map(({ key }) => key);
}

export type EntityRef = { type: EntityType; id: string };

/** The entities that ids name, in the order of the types. */
export function entitiesOf(ids: Partial<EntityIds>): EntityRef[] {
  return entityTypes.flatMap((type) => {
    const id = ids[entityIdField(type)];
    return id === null || id === undefined ? [] : [{ type, id }];
  });
}
