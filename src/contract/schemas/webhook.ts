import * as z from 'zod';
import { limits } from '../limits.ts';

/** The event types of webhooks; shipped clients write an underscore instead of the colon. */
export const webhookEvents = [
  'memory:add',
  'memory:update',
  'memory:delete',
  'memory:categorize',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const underscored = ['memory_add', 'memory_update', 'memory_delete', 'memory_categorize'] as const;

/** Stored and returned in the spelling that was sent. */
export const WebhookEventType = z.enum([...webhookEvents, ...underscored], {
  error: `must be one of ${webhookEvents.join(', ')}`,
});
export type WebhookEventType = z.output<typeof WebhookEventType>;

/** The event type for either spelling; null if unknown. */
export function parseWebhookEvent(spelling: string): WebhookEvent | null {
  return webhookEvents.find((event) => event === spelling.replace('_', ':')) ?? null;
}

/** The target of deliveries. Whether its address is allowed is decided when it is resolved. */
export const WebhookUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(limits.url_max_chars)
  .describe('Address to notify');

/** `secret` is returned only when the webhook is created or the secret is rotated. */
export const Webhook = z.object({
  webhook_id: z.string(),
  name: z.string(),
  url: z.string(),
  event_types: z.array(WebhookEventType),
  is_active: z.boolean(),
  project: z.string(),
  /** Why the service disabled it; null if it did not. */
  disabled_reason: z.string().nullable(),
  secret: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Webhook = z.output<typeof Webhook>;

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One notification to one webhook, with the outcome of its latest attempt. */
export const Delivery = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_type: z.string(),
  memory_id: z.string().nullable(),
  status: z.enum(deliveryStatuses),
  attempts: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  created_at: z.string(),
  delivered_at: z.string().nullable(),
});
export type Delivery = z.output<typeof Delivery>;
