import type { Selectable } from 'kysely';
import type { Delivery } from '../../../contract/schemas/webhook.ts';
import type {
  DeliveryTable,
  Instant,
  ProjectRef,
  StoredDelivery,
} from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { deleteRowsInChunks } from '../../sql/delete-in-chunks.ts';
import type { DeliveryRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import {
  bringDeliveriesForward,
  claimDeliveries,
  hasDeliveryAhead,
  isDeliveryDue,
  isIdAmong,
  scheduleEligible,
  settleDelivery,
} from './delivery-queue.ts';

export const deliveryStatements: StatementsOf<DeliveryTable> = {
  insert: { scope: 'project', run: insertDeliveries, queuesWork: true },
  claim: {
    scope: 'queue',
    run: claimDeliveries,
    autocommit: {
      read: async (at, lease) => ((await isDeliveryDue(at, lease)) ? null : { answer: [] }),
    },
  },
  bringForward: {
    scope: 'queue',
    run: bringDeliveriesForward,
    autocommit: {
      read: async (at, times) =>
        (await hasDeliveryAhead(at, times)) ? null : { answer: undefined },
    },
  },
  recordAttempt: { scope: 'job', run: settleDelivery, autocommit: true },
  list: { scope: 'project', run: listDeliveries },
  find: { scope: 'project', run: findDelivery },
  restart: { scope: 'project', run: restartDelivery },
  deleteSettledBefore: { scope: 'queue', run: deleteSettledBefore },
};

/** Deliveries per statement. */
const chunkSize = 50;

async function insertDeliveries(
  at: DbContext,
  project: ProjectRef,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  for (const chunk of partsOf(deliveries, chunkSize)) {
    const rows = chunk.map((delivery) => ({
      ...delivery,
      project_key: project.key,
      claimable_at: null,
      lease_owner: null,
      lease_until: null,
    }));
    await at.db.insertInto('deliveries').values(rows).execute();
    await scheduleEligible(at, isIdAmong(at, chunk));
  }
}

type DeliveryListQuery = Parameters<DeliveryTable['list']>[1];

async function listDeliveries(
  at: DbContext,
  project: ProjectRef,
  query: DeliveryListQuery,
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

function deliveriesOf(
  { db }: DbContext,
  project: ProjectRef,
  { webhook_id }: Pick<DeliveryListQuery, 'webhook_id'>,
) {
  return db
    .selectFrom('deliveries')
    .where('project_key', '=', project.key)
    .where('webhook_id', '=', webhook_id);
}

async function findDelivery(
  at: DbContext,
  project: ProjectRef,
  { delivery_id, ...query }: { webhook_id: string; delivery_id: string },
): Promise<StoredDelivery | null> {
  const row = await deliveriesOf(at, project, query)
    .where('id', '=', delivery_id)
    .select([...logColumns, 'body'])
    .executeTakeFirst();
  return row === undefined ? null : { ...row };
}

async function restartDelivery(
  at: DbContext,
  project: ProjectRef,
  { delivery_id, body, now }: Parameters<DeliveryTable['restart']>[1],
): Promise<void> {
  const untried = { response_status: null, error: null, delivered_at: null, claimable_at: null };
  await at.db
    .updateTable('deliveries')
    .set({ ...untried, body, status: 'PENDING', attempts: 0, next_attempt_at: now })
    .where('project_key', '=', project.key)
    .where('id', '=', delivery_id)
    .where('lease_owner', 'is', null)
    .execute();
  await scheduleEligible(at, isIdAmong(at, [{ id: delivery_id }]));
}

async function deleteSettledBefore({ db }: DbContext, instant: Instant): Promise<number> {
  return deleteRowsInChunks(async (limit) => {
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

/** A plain object, because the driver's rows have no prototype. */
function toDelivery(row: Pick<Selectable<DeliveryRow>, (typeof logColumns)[number]>): Delivery {
  return { ...row };
}
