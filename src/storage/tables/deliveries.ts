import type { Selectable } from 'kysely';
import { entityIdField } from '../../contract/schemas/entity.ts';
import type { Delivery } from '../../contract/schemas/webhook.ts';
import type { DeliveryTable, Instant, ProjectRef, StoredDelivery } from '../../core/ports/index.ts';
import type { DeliveryRow } from '../schema.ts';
import type { At } from './at.ts';
import { inChunks } from './chunks.ts';
import { claimDeliveries, isIdAmong, makeDue, settleDelivery } from './delivery-queue.ts';
import type { EntityRef } from './entity-keys.ts';

export function createDeliveryTable(at: At): DeliveryTable {
  return {
    insert: (project, deliveries) => insertDeliveries(at, project, deliveries),
    claim: (lease) => claimDeliveries(at, lease),
    recordAttempt: (delivery, outcome) => settleDelivery(at, delivery, outcome),
    list: (project, query) => listDeliveries(at, project, query),
    deleteByEntity: (project, type, id) => deleteDeliveries(at, project, { type, id }),
    deleteSettledBefore: (instant) => deleteSettledBefore(at, instant),
  };
}

/** Deliveries in one statement. */
const chunkSize = 50;

async function insertDeliveries(
  at: At,
  project: ProjectRef,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  for (let start = 0; start < deliveries.length; start += chunkSize) {
    const chunk = deliveries.slice(start, start + chunkSize);
    const rows = chunk.map((delivery) => ({
      ...delivery,
      project_key: project.key,
      due_at: null,
      lease_owner: null,
      lease_until: null,
    }));
    await at.db.insertInto('deliveries').values(rows).execute();
    await makeDue(at, isIdAmong(at, chunk));
  }
}

type Query = Parameters<DeliveryTable['list']>[1];

async function listDeliveries(
  at: At,
  project: ProjectRef,
  query: Query,
): Promise<{ results: Delivery[]; total: number }> {
  const rows = await deliveriesOf(at, project, query)
    .select(logColumns)
    .orderBy('position', 'desc')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute();
  const { total } = await deliveriesOf(at, project, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { results: rows.map(toDelivery), total };
}

const logColumns = [
  'id',
  'webhook_id',
  'event_type',
  'memory_id',
  'status',
  'attempts',
  'response_status',
  'error',
  'next_attempt_at',
  'created_at',
  'delivered_at',
] as const;

function deliveriesOf({ db }: At, project: ProjectRef, { webhook_id }: Query) {
  return db
    .selectFrom('deliveries')
    .where('project_key', '=', project.key)
    .where('webhook_id', '=', webhook_id);
}

async function deleteDeliveries(
  { db }: At,
  project: ProjectRef,
  { type, id }: EntityRef,
): Promise<void> {
  await db
    .deleteFrom('deliveries')
    .where('project_key', '=', project.key)
    .where('memory_id', 'in', (eb) =>
      eb
        .selectFrom('history')
        .select('history.memory_id')
        .where('history.project_key', '=', project.key)
        .where(`history.${entityIdField(type)}`, '=', id),
    )
    .execute();
}

async function deleteSettledBefore({ db }: At, instant: Instant): Promise<number> {
  return inChunks(async (limit) => {
    const { numDeletedRows } = await db
      .deleteFrom('deliveries')
      .where('position', 'in', (eb) =>
        eb
          .selectFrom('deliveries')
          .select('position')
          .where('created_at', '<', instant)
          .where('status', '<>', 'PENDING')
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}

/** A plain object: a driver's rows have no prototype. */
function toDelivery(row: Pick<Selectable<DeliveryRow>, (typeof logColumns)[number]>): Delivery {
  return { ...row };
}
