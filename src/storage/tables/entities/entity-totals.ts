import { sql } from 'kysely';
import type { EntityType } from '../../../contract/schemas/entity.ts';
import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareSend, prepareStatement, type StatementParameters } from '../../sql/prepared.ts';

/** How many entities of a type a project has, and how many memories belong to any of them. */
export type EntityTotals = { entities: number; memories: number };

export async function findEntityTotals(
  at: DbContext,
  project: ProjectRef,
  type: EntityType,
): Promise<EntityTotals> {
  const [totals] = await findTotalsRow(at, { project_key: project.key, type });
  return totals ?? { entities: 0, memories: 0 };
}

type EntityTotalsKey = { project_key: number; type: EntityType };

const findTotalsRow = prepareStatement((db, value: StatementParameters<EntityTotalsKey>) =>
  db
    .selectFrom('entity_totals')
    .select(['entities', 'memories'])
    .where('project_key', '=', value('project_key'))
    .where('type', '=', value('type')),
);

/** Adds to the totals; negative numbers subtract. */
export async function addToEntityTotals(
  at: DbContext,
  project: ProjectRef,
  { type, ...more }: EntityTotals & { type: EntityType },
): Promise<void> {
  await addToTotalsRow(at, { project_key: project.key, type, ...more });
}

const addToTotalsRow = prepareSend(
  (db, value: StatementParameters<EntityTotalsKey & EntityTotals>) =>
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
