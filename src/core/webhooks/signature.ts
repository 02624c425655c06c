import { createHmac } from 'node:crypto';
import type { Deps, Instant } from '../ports/index.ts';

const secretBytes = 24;
const secretPrefix = 'whsec_';

/** A new secret in the form of the Standard Webhooks convention. */
export function createWebhookSecret({ random }: Pick<Deps, 'random'>): string {
  return secretPrefix + Buffer.from(random(secretBytes)).toString('base64');
}

/**
 * The headers that identify a delivery and prove who sent it. `webhook-id` is the same for all
 * attempts, so that receivers can detect repeats.
 */
export function signatureHeaders(
  secret: string,
  { id, body, now }: { id: string; body: string; now: Instant },
): Record<string, string> {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const timestamp = String(Math.floor(Date.parse(now) / 1000));
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  };
}
