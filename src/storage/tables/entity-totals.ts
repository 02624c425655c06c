import { sql } from 'kysely';
import type { EntityType } from '../../contract/schemas/entity.ts';
import type { ProjectRef } from '../../core/ports/index.ts';
import { prepared, preparedToSend, type Values } from '../prepared.ts';
import type { At } from './at.ts';

/** How many entities of a type a project has, and how many memories belong to one of them. */
export type EntityTotals = { entities: number; memories: number };

export async function findTotals(
  at: At,
  project: ProjectRef,
  type: EntityType,
): Promise<EntityTotals> {
  const [totals] = await findRow(at, { project_key: project.key, type });
  return totals ?? { entities: 0, memories: 0 };
}

type Named = { project_key: number; type: EntityType };

const findRow = prepared((db, value: Values<Named>) =>
  db
    .selectFrom('entity_totals')
    .select(['entities', 'memories'])
    .where('project_key', '=', value('project_key'))
    .where('type', '=', value('type')),
);

/** Adds to the totals; less is added where something went. */
export async function addToTotals(
  at: At,
  project: ProjectRef,
  { type, ...more }: EntityTotals & { type: EntityType },
): Promise<void> {
  await upsertRow(at, { project_key: project.key, type, ...more });
}

const upsertRow = preparedToSend((db, value: Values<Named & EntityTotals>) =>
  db
    .insertInto('entity_totals')
    .values({
      project_key: value('project_key'),
      type: value('type'),
      entities: value('entities'),
      memories: value('memories'),
    })
    .onConflict((conflict) =>
      conflict.columns(['project_key', 'type']).doUpdateSet({
        entities: sql`entity_totals.entities + excluded.entities`,
        memories: sql`entity_totals.memories + excluded.memories`,
      }),
    ),
);
