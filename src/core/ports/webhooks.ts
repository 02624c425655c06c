import type { EntityType } from '../../contract/schemas/entity.ts';
import type { Delivery, DeliveryStatus } from '../../contract/schemas/webhook.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

export type StoredWebhook = {
  webhook_id: string;
  name: string;
  url: string;
  /** As they were sent. */
  event_types: string[];
  is_active: boolean;
  disabled_reason: string | null;
  secret: string;
  /** Since when every delivery has failed; null while deliveries arrive. */
  failing_since: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

export type WebhookTable = {
  /** Wherever it is: the caller then checks the project. */
  findInAnyProject(
    webhook_id: string,
  ): Promise<{ project: ProjectRef; webhook: StoredWebhook } | null>;
  insert(project: ProjectRef, webhook: StoredWebhook): Promise<void>;
  list(project: ProjectRef): Promise<StoredWebhook[]>;
  update(
    project: ProjectRef,
    webhook_id: string,
    patch: Partial<Omit<StoredWebhook, 'webhook_id' | 'created_at'>>,
  ): Promise<void>;
  /** Deletes the webhook and its deliveries. */
  delete(project: ProjectRef, webhook_id: string): Promise<void>;
};

/** A notification in the outbox, written in the transaction of the change it tells of. */
export type StoredDelivery = Delivery & {
  /** The body as it is signed and sent, the same at every attempt. */
  body: string;
};

export type ClaimedDelivery = StoredDelivery & { project: ProjectRef; lease_owner: string };

export type DeliveryTable = {
  insert(project: ProjectRef, deliveries: readonly StoredDelivery[]): Promise<void>;
  /**
   * Claims up to `limit` deliveries that are due, none of the webhooks that are `busy`. Of one
   * webhook and memory only the oldest pending one is ever claimed, so that their order is kept.
   */
  claim(lease: {
    owner: string;
    now: Instant;
    until: Instant;
    limit: number;
    busy?: readonly string[];
  }): Promise<ClaimedDelivery[]>;
  /** Records an attempt and ends the claim; false when the lease was lost. */
  recordAttempt(
    delivery: ClaimedDelivery,
    outcome: {
      status: DeliveryStatus;
      response_status: number | null;
      error: string | null;
      next_attempt_at: Instant | null;
      delivered_at: Instant | null;
    },
  ): Promise<boolean>;
  /** Newest first. */
  list(
    project: ProjectRef,
    query: { webhook_id: string; page: number; page_size: number },
  ): Promise<{ results: Delivery[]; total: number }>;
  /**
   * Drops what still waits and concerns memories that carry this entity's id, or did so when they
   * were there, and what was sent of them. The history tells which: it must be there still.
   */
  deleteByEntity(project: ProjectRef, type: EntityType, id: string): Promise<void>;
  /** Forgets settled deliveries older than this. */
  deleteSettledBefore(instant: Instant): Promise<number>;
};
