import * as z from 'zod';
import { limits } from '../limits.ts';

/** What a webhook can subscribe to; shipped clients write an underscore for the colon. */
export const webhookEvents = [
  'memory:add',
  'memory:update',
  'memory:delete',
  'memory:categorize',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event type that a subscription's spelling means; null when it means none. */
export function parseWebhookEvent(spelling: string): WebhookEvent | null {
  return webhookEvents.find((event) => event === spelling.replace('_', ':')) ?? null;
}

/** Kept and answered as it was sent, in either spelling. */
export const WebhookEventType = z
  .string()
  .refine(
    (spelling) => parseWebhookEvent(spelling) !== null,
    `must be one of ${webhookEvents.join(', ')}`,
  );

/** Where deliveries go. Which addresses are allowed is decided when they are resolved. */
export const WebhookUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(limits.url_max_chars)
  .describe('Endpoint');

/** `secret` is answered once: when the webhook is made and when it is rotated. */
export const Webhook = z.object({
  webhook_id: z.string(),
  name: z.string(),
  url: z.string(),
  event_types: z.array(z.string()),
  is_active: z.boolean(),
  project: z.string(),
  /** Why the service switched it off, null while it did not. */
  disabled_reason: z.string().nullable(),
  secret: z.string().optional(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Webhook = z.output<typeof Webhook>;

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'DEAD'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One notification to one webhook, with what its latest attempt met. */
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
