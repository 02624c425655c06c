import type { ClaimedDelivery, Deps, Instant, StoredWebhook, Tables } from '../ports.ts';
import { attempt, type Met } from '../webhooks/attempt.ts';
import { createLanes, type Worker } from './lanes.ts';
import { later } from './later.ts';

export type DeliveryWorkerOptions = {
  /** Tells this process's claims from those of others on the same store. */
  owner: string;
  /** How long a claim keeps other processes away; at least twice the time of an attempt. */
  lease_ms: number;
  /** How long a receiver may take, as the sender has it. */
  timeout_ms: number;
  /** How many deliveries may be on their way at once. */
  concurrency: number;
};

/**
 * Sends what the outbox holds. One webhook never has more than its share of the lanes, so that a
 * receiver that is slow or gone holds up its own deliveries only.
 */
export function createDeliveryWorker(deps: Deps, options: DeliveryWorkerOptions): Worker {
  const { owner, concurrency, timeout_ms } = options;
  const lease_ms = Math.max(options.lease_ms, 2 * timeout_ms);
  const share = Math.max(1, Math.floor(concurrency / sharesOfLanes));
  const underway = new Map<string, number>();
  const count = (webhook_id: string, change: 1 | -1) =>
    underway.set(webhook_id, (underway.get(webhook_id) ?? 0) + change);

  return createLanes({
    name: 'the outbox',
    concurrency,
    log: deps.log,
    take: async (stopping) => {
      const now = deps.clock.now();
      const busy = [...underway].filter(([, many]) => many >= share).map(([id]) => id);
      const lease = { owner, now, until: later(now, lease_ms), limit: 1, busy };
      const [delivery] = await deps.store.deliveries.claim(lease);
      if (delivery === undefined) return null;
      count(delivery.webhook_id, 1);
      return () => deliver(deps, delivery, stopping).finally(() => count(delivery.webhook_id, -1));
    },
  });
}

/** A webhook gets a quarter of the lanes. */
const sharesOfLanes = 4;

async function deliver(deps: Deps, delivery: ClaimedDelivery, stopping: AbortSignal) {
  const found = await deps.store.webhooks.locate(delivery.webhook_id);
  if (found === null) return;
  const { id, body } = delivery;
  const cut = cutAfterGrace(stopping);
  const met = await attempt(deps, found.webhook, { id, body, signal: cut.signal });
  cut.done();
  await deps.store.transaction((tables) =>
    settle(deps, { delivery, met, wasCut: cut.signal.aborted }, tables),
  );
}

/** A stop lets attempts end by themselves for a moment: one that is cut off is made again. */
function cutAfterGrace(stopping: AbortSignal): { signal: AbortSignal; done: () => void } {
  const cut = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onStop = () => {
    timer = setTimeout(() => cut.abort(), stopGraceMs);
  };
  if (stopping.aborted) onStop();
  stopping.addEventListener('abort', onStop, { once: true });
  return {
    signal: cut.signal,
    done: () => {
      stopping.removeEventListener('abort', onStop);
      clearTimeout(timer);
    },
  };
}

const stopGraceMs = 1_500;

type Attempted = { delivery: ClaimedDelivery; met: Met; wasCut: boolean };

async function settle(deps: Deps, { delivery, met, wasCut }: Attempted, tables: Tables) {
  const now = deps.clock.now();
  const arrived = met.error === null;
  const isLast = !wasCut && delivery.attempts >= attemptsMax;
  const retryMs = wasCut ? 0 : retryDelayMs(delivery.attempts, deps.random);
  const stillOurs = await tables.deliveries.settle(delivery, {
    ...met,
    status: arrived ? 'DELIVERED' : isLast ? 'DEAD' : 'PENDING',
    next_attempt_at: arrived || isLast ? null : later(now, retryMs),
    delivered_at: arrived ? now : null,
  });
  const found = await tables.webhooks.locate(delivery.webhook_id);
  if (!stillOurs || wasCut || found === null) return;
  const patch = arrived ? recovered(found.webhook) : failing(found.webhook, now);
  if (patch !== null)
    await tables.webhooks.update(delivery.project, found.webhook.webhook_id, patch);
}

/**
 * The first retry comes after seconds, the later ones after hours: with these numbers the last one
 * comes about a day after the first attempt.
 */
const attemptsMax = 12;
const firstRetryMs = 5_000;
const retryFactor = 3;
const retryMaxMs = 6 * 60 * 60 * 1000;

/** Spread by a fifth either way, so that what failed together does not come back together. */
const jitter = 0.2;

export function retryDelayMs(attempts: number, random: Deps['random']): number {
  const delay = Math.min(retryMaxMs, firstRetryMs * retryFactor ** (attempts - 1));
  const [byte = 0] = random(1);
  return Math.round(delay * (1 + jitter * ((2 * byte) / 255 - 1)));
}

type WebhookPatch = Parameters<Tables['webhooks']['update']>[2];

function recovered({ failing_since }: StoredWebhook): WebhookPatch | null {
  return failing_since === null ? null : { failing_since: null };
}

/** Switches off what has failed for days; what waits is kept until it is switched on again. */
function failing({ failing_since }: StoredWebhook, now: Instant): WebhookPatch | null {
  if (failing_since === null) return { failing_since: now };
  if (now < later(failing_since, failingMaxMs)) return null;
  const disabled_reason = `every delivery has failed since ${failing_since}`;
  return { is_active: false, disabled_reason, updated_at: now };
}

const failingMaxMs = 5 * 24 * 60 * 60 * 1000;
