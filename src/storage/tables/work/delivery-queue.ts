import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type {
  ClaimedDelivery,
  DeliveryTable,
  ProjectRef,
  StoredDelivery,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, SqlCondition } from '../../sql/dialect.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { DatabaseSchema, DeliveryRow } from '../../sql/schema.ts';
import { findProjectsByKey } from '../tenants/projects.ts';

type DeliveryLease = Parameters<DeliveryTable['claim']>[0];
type DeliveryOutcome = Parameters<DeliveryTable['recordAttempt']>[1];

/** True if a claim would find something now. */
export async function isDeliveryDue(at: DbContext, lease: DeliveryLease): Promise<boolean> {
  const { now, busy = [] } = lease;
  if (busy.length === 0) return (await findDue(at, { now })).length > 0;
  return (await dueDeliveries(at.db, { ...lease, limit: 1 }).executeTakeFirst()) !== undefined;
}

const findDue = prepareStatement((db, value: StatementParameters<Pick<DeliveryLease, 'now'>>) =>
  dueDeliveries(db, { now: value('now'), limit: 1 }),
);

type DueDeliveryQuery = Pick<DeliveryLease, 'now' | 'limit' | 'busy'>;

function dueDeliveries(db: Database, { now, limit, busy = [] }: DueDeliveryQuery) {
  const due = db.selectFrom('deliveries').select('position').where('claimable_at', '<=', now);
  const free = busy.length === 0 ? due : due.where('webhook_id', 'not in', busy);
  return free.orderBy('claimable_at').orderBy('position').limit(limit);
}

/**
 * Only the oldest pending delivery of a webhook and a memory has a `claimable_at`: see
 * {@link scheduleEligible}.
 */
export async function claimDeliveries(
  at: DbContext,
  lease: DeliveryLease,
): Promise<ClaimedDelivery[]> {
  const { owner, until } = lease;
  const rows = await at.db
    // A separate query, because a subquery could see other rows while others claim.
    .with(
      (cte) => cte('due').materialized(),
      () => at.dialect.skipLocked(dueDeliveries(at.db, lease)),
    )
    .updateTable('deliveries')
    .set({
      claimable_at: until,
      lease_until: until,
      lease_owner: owner,
      attempts: sql`attempts + 1`,
    })
    .where('position', 'in', (eb) => eb.selectFrom('due').select('due.position'))
    .returningAll()
    .execute();
  const projects = await findProjectsByKey(
    at,
    rows.map((row) => row.project_key),
  );
  return rows
    .sort((a, b) => a.position - b.position)
    .flatMap((row) => {
      const project = projects.get(row.project_key);
      return project === undefined
        ? []
        : [{ ...toStoredDelivery(row), project, lease_owner: owner }];
    });
}

/** Records an attempt; after the last one, the next delivery of its memory becomes claimable. */
export async function settleDelivery(
  at: DbContext,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
): Promise<boolean> {
  const isOver = outcome.status !== 'PENDING';
  if (!isOver && outcome.next_attempt_at === null) {
    throw new Error('a pending delivery needs a time for its next attempt');
  }
  const { numUpdatedRows } = await at.db
    .updateTable('deliveries')
    // A settled delivery is not sent again, so its body is dropped.
    .set({ ...outcome, ...noLease, ...(isOver && { body: '' }) })
    .where('id', '=', delivery.id)
    .where('lease_owner', '=', delivery.lease_owner)
    .where('attempts', '=', delivery.attempts)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await scheduleEligible(at, isOver ? isNextAfter(at, delivery) : isIdAmong(at, [delivery]));
  return true;
}

type DeliveryTimes = Parameters<DeliveryTable['bringForward']>[0];

export async function bringDeliveriesForward(
  { db }: DbContext,
  { now, until, latest_lease, latest_tries }: DeliveryTimes,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ lease_until: until, claimable_at: until })
    .where('status', '=', 'PENDING')
    .where('lease_until', '>', latest_lease)
    .execute();
  for (const [attempts, latest] of latest_tries.entries()) {
    const isLast = attempts === latest_tries.length - 1;
    await db
      .updateTable('deliveries')
      .set({
        next_attempt_at: now,
        // Deliveries that wait behind another one, or for their webhook, go on waiting.
        claimable_at: sql`case when claimable_at is null then null else ${now} end`,
      })
      .where('status', '=', 'PENDING')
      .where('lease_owner', 'is', null)
      .where('attempts', isLast ? '>=' : '=', attempts)
      .where(sql<string>`coalesce(next_attempt_at, created_at)`, '>', latest)
      .execute();
  }
}

/** True if a delivery may be ahead of all that {@link bringDeliveriesForward} leaves alone. */
export async function hasDeliveryAhead(
  { db }: DbContext,
  { latest_lease, latest_tries: [latest_first = latest_lease] }: DeliveryTimes,
): Promise<boolean> {
  const latest = latest_first < latest_lease ? latest_first : latest_lease;
  const ahead = db
    .selectFrom('deliveries')
    .select('position')
    .where((eb) => eb.or([eb('claimable_at', '>', latest), eb('created_at', '>', latest_first)]));
  return (await ahead.limit(1).executeTakeFirst()) !== undefined;
}

const noLease = { lease_owner: null, lease_until: null, claimable_at: null };

/** Holds the deliveries of a webhook that was disabled. */
export async function pauseDeliveries({ db }: DbContext, project: ProjectRef, webhook_id: string) {
  await db
    .updateTable('deliveries')
    .set({ claimable_at: null })
    .where('project_key', '=', project.key)
    .where('webhook_id', '=', webhook_id)
    .where('claimable_at', 'is not', null)
    .execute();
}

/** Releases the deliveries that were held while their webhook was disabled. */
export async function resumeDeliveries(at: DbContext, project: ProjectRef, webhook_id: string) {
  const ofWebhook = sql<boolean>`deliveries.project_key = ${project.key}
    and deliveries.webhook_id = ${webhook_id}`;
  await scheduleEligible(at, ofWebhook);
}

/**
 * Makes the eligible deliveries claimable: pending ones of an active webhook that no older pending
 * one of the same webhook and memory precedes. A claim then reads only what it takes, however many
 * wait behind others.
 */
export async function scheduleEligible({ db }: DbContext, condition: SqlCondition): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      claimable_at: sql`case when lease_until > next_attempt_at then lease_until
        else coalesce(next_attempt_at, created_at) end`,
    })
    .where(condition)
    .where('status', '=', 'PENDING')
    .where('claimable_at', 'is', null)
    .where(({ not, exists }) => not(exists(olderPending)))
    .where(({ exists }) => exists(activeWebhook))
    .execute();
}

export function isIdAmong(
  { dialect }: DbContext,
  deliveries: readonly { id: string }[],
): SqlCondition {
  const ids = deliveries.map(({ id }) => id);
  return dialect.filter.isIn(sql.ref('deliveries.id'), ids);
}

/** The oldest pending delivery of the same webhook and memory. */
function isNextAfter(
  { db }: DbContext,
  { project, webhook_id, memory_id }: ClaimedDelivery,
): SqlCondition {
  const next = db
    .selectFrom('deliveries as next')
    .select('next.position')
    .where('next.project_key', '=', project.key)
    .where('next.memory_id', '=', memory_id)
    .where('next.webhook_id', '=', webhook_id)
    .where('next.status', '=', 'PENDING')
    .orderBy('next.position')
    .limit(1);
  return sql<boolean>`deliveries.position = (${next})`;
}

type DeliveryExpressions = ExpressionBuilder<DatabaseSchema, 'deliveries'>;

function olderPending(eb: DeliveryExpressions) {
  return eb
    .selectFrom('deliveries as older')
    .select('older.position')
    .whereRef('older.project_key', '=', 'deliveries.project_key')
    .whereRef('older.memory_id', '=', 'deliveries.memory_id')
    .whereRef('older.webhook_id', '=', 'deliveries.webhook_id')
    .whereRef('older.position', '<', 'deliveries.position')
    .where('older.status', '=', 'PENDING');
}

function activeWebhook(eb: DeliveryExpressions) {
  return eb
    .selectFrom('webhooks')
    .select('webhooks.position')
    .whereRef('webhooks.webhook_id', '=', 'deliveries.webhook_id')
    .where('webhooks.is_active', '=', 1);
}

function toStoredDelivery(row: Selectable<DeliveryRow>): StoredDelivery {
  const {
    position: _,
    project_key: __,
    claimable_at: ___,
    lease_owner: ____,
    lease_until: _____,
    ...delivery
  } = row;
  return delivery;
}
