import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type {
  ClaimedDelivery,
  DeliveryTable,
  ProjectRef,
  StoredDelivery,
} from '../../core/ports/index.ts';
import type { Condition, Database } from '../dialects/dialect.ts';
import { prepared, type Values } from '../prepared.ts';
import type { DeliveryRow, Schema } from '../schema.ts';
import type { At } from './at.ts';
import { findProjectsByKey } from './projects.ts';

type Lease = Parameters<DeliveryTable['claim']>[0];
type Outcome = Parameters<DeliveryTable['recordAttempt']>[1];

/** True when a claim would get something now. */
export async function isDeliveryDue(at: At, lease: Lease): Promise<boolean> {
  const { now, busy = [] } = lease;
  if (busy.length === 0) return (await findDue(at, { now })).length > 0;
  return (await dueDeliveries(at.db, { ...lease, limit: 1 }).executeTakeFirst()) !== undefined;
}

const findDue = prepared((db, value: Values<Pick<Lease, 'now'>>) =>
  dueDeliveries(db, { now: value('now'), limit: 1 }),
);

type Due = Pick<Lease, 'now' | 'limit' | 'busy'>;

function dueDeliveries(db: Database, { now, limit, busy = [] }: Due) {
  const due = db.selectFrom('deliveries').select('position').where('due_at', '<=', now);
  const free = busy.length === 0 ? due : due.where('webhook_id', 'not in', busy);
  return free.orderBy('due_at').orderBy('position').limit(limit);
}

/** Only the oldest pending one of a webhook and a memory has a `due_at`: see {@link makeDue}. */
export async function claimDeliveries(at: At, lease: Lease): Promise<ClaimedDelivery[]> {
  const { owner, until } = lease;
  const rows = await at.db
    // Looked up once: while others claim, a second look would find other rows.
    .with(
      (cte) => cte('due').materialized(),
      () => at.dialect.unclaimed(dueDeliveries(at.db, lease)),
    )
    .updateTable('deliveries')
    .set({ due_at: until, lease_until: until, lease_owner: owner, attempts: sql`attempts + 1` })
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
      return project === undefined ? [] : [{ ...toStored(row), project, lease_owner: owner }];
    });
}

/** Records an attempt; when it was the last one, the next delivery of its memory gets its turn. */
export async function settleDelivery(
  at: At,
  delivery: ClaimedDelivery,
  outcome: Outcome,
): Promise<boolean> {
  const isOver = outcome.status !== 'PENDING';
  if (!isOver && outcome.next_attempt_at === null) {
    throw new Error('a pending delivery needs a time for its next attempt');
  }
  const { numUpdatedRows } = await at.db
    .updateTable('deliveries')
    // Nothing sends a body again once it is settled.
    .set({ ...outcome, ...free, ...(isOver && { body: '' }) })
    .where('id', '=', delivery.id)
    .where('lease_owner', '=', delivery.lease_owner)
    .where('attempts', '=', delivery.attempts)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await makeDue(at, isOver ? isNextAfter(at, delivery) : isIdAmong(at, [delivery]));
  return true;
}

const free = { lease_owner: null, lease_until: null, due_at: null };

/** Keeps the deliveries of a webhook that was switched off. */
export async function holdDeliveries({ db }: At, project: ProjectRef, webhook_id: string) {
  await db
    .updateTable('deliveries')
    .set({ due_at: null })
    .where('project_key', '=', project.key)
    .where('webhook_id', '=', webhook_id)
    .where('due_at', 'is not', null)
    .execute();
}

/** Lets the deliveries go on that were kept while their webhook was switched off. */
export async function resumeDeliveries(at: At, project: ProjectRef, webhook_id: string) {
  const ofWebhook = sql<boolean>`deliveries.project_key = ${project.key}
    and deliveries.webhook_id = ${webhook_id}`;
  await makeDue(at, ofWebhook);
}

/**
 * Gives those deliveries their time that may be claimed: pending ones that no older pending one of
 * the same webhook and memory precedes, and whose webhook is active. So a claim reads nothing but
 * what it takes, however many wait behind others.
 */
export async function makeDue({ db }: At, condition: Condition): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      due_at: sql`case when lease_until > next_attempt_at then lease_until
        else coalesce(next_attempt_at, created_at) end`,
    })
    .where(condition)
    .where('status', '=', 'PENDING')
    .where('due_at', 'is', null)
    .where(({ not, exists }) => not(exists(olderPending)))
    .where(({ exists }) => exists(activeWebhook))
    .execute();
}

export function isIdAmong({ dialect }: At, deliveries: readonly { id: string }[]): Condition {
  const ids = deliveries.map(({ id }) => id);
  return dialect.filter.isIn(sql.ref('deliveries.id'), ids);
}

/** The oldest pending one of the same webhook and memory. */
function isNextAfter({ db }: At, { project, webhook_id, memory_id }: ClaimedDelivery): Condition {
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

type Builder = ExpressionBuilder<Schema, 'deliveries'>;

function olderPending(eb: Builder) {
  return eb
    .selectFrom('deliveries as older')
    .select('older.position')
    .whereRef('older.project_key', '=', 'deliveries.project_key')
    .whereRef('older.memory_id', '=', 'deliveries.memory_id')
    .whereRef('older.webhook_id', '=', 'deliveries.webhook_id')
    .whereRef('older.position', '<', 'deliveries.position')
    .where('older.status', '=', 'PENDING');
}

function activeWebhook(eb: Builder) {
  return eb
    .selectFrom('webhooks')
    .select('webhooks.position')
    .whereRef('webhooks.webhook_id', '=', 'deliveries.webhook_id')
    .where('webhooks.is_active', '=', 1);
}

function toStored(row: Selectable<DeliveryRow>): StoredDelivery {
  const {
    position: _,
    project_key: __,
    due_at: ___,
    lease_owner: ____,
    lease_until: _____,
    ...delivery
  } = row;
  return delivery;
}
