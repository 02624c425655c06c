import type { Delivery, DeliveryStatus, WebhookEventType } from '../../contract/schemas/webhook.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

export type StoredWebhook = {
  webhook_id: string;
  name: string;
  url: string;
  /** As they were sent. */
  event_types: WebhookEventType[];
  is_active: boolean;
  disabled_reason: string | null;
  secret: string;
  /** Since when every delivery has failed; null while deliveries arrive. */
  failing_since: Instant | null;
  created_at: Instant;
  updated_at: Instant;
};

export type WebhookTable = {
  /** Finds it in any project; the caller checks access to that project. */
  findInAnyProject(
    webhook_id: string,
  ): Promise<{ project: ProjectRef; webhook: StoredWebhook } | null>;
  insert(project: ProjectRef, webhook: StoredWebhook): Promise<void>;
  list(project: ProjectRef): Promise<StoredWebhook[]>;
  update(
    project: ProjectRef,
    webhook_id: string,
    patch: Partial<StrictOmit<StoredWebhook, 'webhook_id' | 'created_at'>>,
  ): Promise<void>;
  /** Deletes the webhook and its deliveries. */
  delete(project: ProjectRef, webhook_id: string): Promise<void>;
};

/** A notification in the outbox, written in the transaction of its change. */
export type StoredDelivery = Delivery & {
  /** The signed body, the same for every attempt. */
  body: string;
};

export type ClaimedDelivery = StoredDelivery & { project: ProjectRef; lease_owner: string };

export type DeliveryTable = {
  insert(project: ProjectRef, deliveries: readonly StoredDelivery[]): Promise<void>;
  /**
   * Claims up to `limit` deliveries that are due, except of `busy` webhooks. For each webhook and
   * memory only the oldest pending delivery is claimed, which keeps their order.
   */
  claim(lease: {
    owner: string;
    now: Instant;
    until: Instant;
    limit: number;
    busy?: readonly string[];
  }): Promise<ClaimedDelivery[]>;
  /**
   * Mends times that a clock which stepped back has left ahead: attempts later than `latest_tries`
   * are due at `now`, and leases longer than `latest_lease` end at `until`.
   */
  bringForward(times: {
    now: Instant;
    until: Instant;
    latest_lease: Instant;
    /** By the number of attempts, from 0; the last one is for all that have more. */
    latest_tries: readonly Instant[];
  }): Promise<void>;
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
  find(
    project: ProjectRef,
    ref: { webhook_id: string; delivery_id: string },
  ): Promise<StoredDelivery | null>;
  /** Makes a delivery due at this time, as if it had never been tried; not one in progress. */
  restart(
    project: ProjectRef,
    delivery: { delivery_id: string; body: string; now: Instant },
  ): Promise<void>;
  /** Deletes settled deliveries older than this. */
  deleteSettledBefore(instant: Instant): Promise<number>;
};

export type WebhookResponse = { status: number };

/** Sends webhook deliveries, to addresses that the configuration allows. */
export type WebhookSender = {
  /** Why an address is not allowed, judged without resolving it; null if it is allowed. */
  urlProblem(url: string): string | null;
  /**
   * Sends one delivery. A redirect counts as a response. Throws `unavailable` without a response;
   * the message is for the delivery log.
   */
  post(request: {
    url: string;
    headers: Record<string, string>;
    body: string;
    signal?: AbortSignal;
  }): Promise<WebhookResponse>;
};
