import type { Change } from '../../contract/schemas/change.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import { parseWebhookEvent, type WebhookEvent } from '../../contract/schemas/webhook.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { UnitOfWork } from '../history/record.ts';
import type {
  Deps,
  Instant,
  ProjectRef,
  StoredDelivery,
  StoredMemory,
  StoredWebhook,
} from '../ports/index.ts';

/** A transaction in one project that changes memories. */
export type OutboxUnitOfWork = UnitOfWork & {
  /** Wakes the workers after the transaction. */
  wake(): void;
  /** The event that tells of the changes. */
  event_id: string;
};

/** Runs a transaction that changes memories; its outbox entries are sent right after. */
export async function withOutbox<T>(
  deps: Pick<Deps, 'store' | 'wake' | 'ids'>,
  project: ProjectRef,
  run: (unit: OutboxUnitOfWork) => Promise<T>,
): Promise<T> {
  let announced = false;
  const wake = () => {
    announced = true;
  };
  const event_id = deps.ids.next();
  const answer = await deps.store.transaction((tables) => run({ tables, project, wake, event_id }));
  if (announced) deps.wake();
  return answer;
}

type ChangedMemory = StrictOmit<StoredMemory, 'position'>;

/**
 * A changed memory: its state after the change, or before a DELETE. `categories_before` are those
 * it had before an UPDATE.
 */
export type MemoryChangeNotice = {
  event: Change;
  memory: ChangedMemory;
  categories_before?: string[];
};

/**
 * Adds changes to the outbox in their own transaction: a delivery for each active webhook of the
 * project that subscribed to them.
 */
export async function enqueueDeliveries(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: OutboxUnitOfWork,
  announcements: readonly MemoryChangeNotice[],
): Promise<void> {
  if (announcements.length === 0) return;
  await enqueueDeliveriesTo(deps, unit, {
    announcements,
    webhooks: await listActiveWebhooks(unit),
  });
}

/** Webhooks to be told of changes. */
export async function listActiveWebhooks({
  tables,
  project,
}: UnitOfWork): Promise<StoredWebhook[]> {
  return (await tables.webhooks.list(project)).filter(({ is_active }) => is_active);
}

type EnqueueOptions = {
  announcements: readonly MemoryChangeNotice[];
  webhooks: readonly StoredWebhook[];
};

/**
 * The same for webhooks that are known to be active. What waits for a review is not announced
 * before it is accepted.
 */
export async function enqueueDeliveriesTo(
  deps: Pick<Deps, 'clock' | 'ids'>,
  { tables, project, wake }: OutboxUnitOfWork,
  { announcements, webhooks }: EnqueueOptions,
): Promise<void> {
  if (webhooks.length === 0) return;
  const created_at = deps.clock.now();
  const active = announcements.filter(({ memory }) => memory.status === 'active');
  const deliveries = active.flatMap((announcement) =>
    toNotices(announcement).flatMap((notice) =>
      webhooks.filter(subscribedTo(notice.type)).map((webhook) => {
        const { webhook_id } = webhook;
        const owner = announcement.memory;
        const about = { project, webhook_id, created_at, owner, details: notice.details };
        return newDelivery(deps, {
          webhook_id,
          event_type: notice.type,
          memory_id: announcement.memory.id,
          created_at,
          body: deliveryBody(about),
        });
      }),
    ),
  );
  if (deliveries.length === 0) return;
  await tables.deliveries.insert(project, deliveries);
  wake();
}

/** A delivery before its first attempt. */
export function newDelivery(
  { ids }: Pick<Deps, 'ids'>,
  about: Pick<StoredDelivery, 'webhook_id' | 'event_type' | 'memory_id' | 'created_at' | 'body'>,
): StoredDelivery {
  return {
    id: ids.next(),
    status: 'PENDING',
    attempts: 0,
    response_status: null,
    error: null,
    next_attempt_at: about.created_at,
    delivered_at: null,
    ...about,
  };
}

/** A notice to a subscriber: the event type, and `event_details` of the body. */
type WebhookNotice = { type: WebhookEvent; details: Record<string, unknown> };

const webhookEventOfChange = {
  ADD: 'memory:add',
  UPDATE: 'memory:update',
  DELETE: 'memory:delete',
} as const satisfies Record<Change, WebhookEvent>;

/** The change itself, and the categories that the memory was assigned with it. */
function toNotices({
  event,
  memory: subject,
  categories_before = [],
}: MemoryChangeNotice): WebhookNotice[] {
  const { id, memory, categories } = subject;
  const change: WebhookNotice = {
    type: webhookEventOfChange[event],
    details: { id, data: { memory }, event },
  };
  const earlier = event === 'DELETE' ? categories : categories_before;
  const isFiled =
    categories.length !== earlier.length || !categories.every((name) => earlier.includes(name));
  if (!isFiled || categories.length === 0) return [change];
  const details = { event: 'CATEGORIZE', memory_id: id, categories };
  return [change, { type: 'memory:categorize', details }];
}

/** A webhook without a list of types gets all of them. */
function subscribedTo(type: WebhookEvent): (webhook: StoredWebhook) => boolean {
  return ({ event_types }) =>
    event_types.length === 0 ||
    event_types.some((spelling) => parseWebhookEvent(spelling) === type);
}

export type NoticeOwner = EntityIds;

type Notice = {
  project: ProjectRef;
  webhook_id: string;
  created_at: Instant;
  owner: NoticeOwner;
  details: Record<string, unknown>;
};

/** What a subscriber reads. */
export function deliveryBody({
  project: { project_id },
  webhook_id,
  created_at,
  owner: { user_id, agent_id, app_id, run_id },
  details,
}: Notice): string {
  const ids = { user_id, agent_id, app_id, run_id };
  return JSON.stringify({ event_details: details, webhook_id, project_id, ...ids, created_at });
}
