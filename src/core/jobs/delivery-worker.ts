import { dayMs } from '../../contract/wall-clock.ts';
import type { ClaimedDelivery, Deps, Instant, StoredWebhook, Tables } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { clockSkewMaxMs, createClockWatch } from '../queue/clock-watch.ts';
import { createWorkerPool, type Worker } from '../queue/worker-pool.ts';
import { type AttemptResult, attemptDelivery } from '../webhooks/attempt-delivery.ts';
import { attemptsMax, retryDelayMs, retryLongestMs } from '../webhooks/retry-schedule.ts';

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
  const share = Math.max(1, Math.floor(concurrency / maxWebhookShares));
  const underway = new Map<string, number>();
  const count = (webhook_id: string, change: 1 | -1) =>
    underway.set(webhook_id, (underway.get(webhook_id) ?? 0) + change);

  const watchClock = createClockWatch((now) => bringForward(deps, now, lease_ms));

  return createWorkerPool({
    name: 'the outbox',
    concurrency,
    log: deps.log,
    claim: async (stopping) => {
      const now = deps.clock.now();
      await watchClock(now);
      const busy = [...underway].filter(([, many]) => many >= share).map(([id]) => id);
      const lease = { owner, now, until: addMs(now, lease_ms), limit: 1, busy };
      const [delivery] = await deps.store.deliveries.claim(lease);
      if (delivery === undefined) return null;
      count(delivery.webhook_id, 1);
      return () => deliver(deps, delivery, stopping).finally(() => count(delivery.webhook_id, -1));
    },
  });
}

/** A webhook gets a quarter of the lanes. */
const maxWebhookShares = 4;

/** No attempt waits longer than the longest pause before it. */
async function bringForward({ store }: Deps, now: Instant, lease_ms: number): Promise<void> {
  const after = (ms: number) => addMs(now, ms + clockSkewMaxMs);
  const tries = Array.from({ length: attemptsMax - 1 }, (_, index) => index + 1);
  await store.deliveries.bringForward({
    now,
    until: addMs(now, lease_ms),
    latest_lease: after(lease_ms),
    latest_tries: [after(0), ...tries.map((attempts) => after(retryLongestMs(attempts)))],
  });
}

async function deliver(deps: Deps, delivery: ClaimedDelivery, stopping: AbortSignal) {
  const target = await deps.store.webhooks.findInAnyProject(delivery.webhook_id);
  if (target === null) return;
  const { id, body } = delivery;
  const cut = abortAfterGrace(stopping);
  const met = await attemptDelivery(deps, target.webhook, { id, body, signal: cut.signal });
  cut.done();
  await deps.store.transaction((tables) =>
    settleDelivery(deps, { delivery, met, wasCut: cut.signal.aborted }, tables),
  );
}

/** A stop lets attempts end by themselves for a moment: one that is cut off is made again. */
function abortAfterGrace(stopping: AbortSignal): { signal: AbortSignal; done: () => void } {
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

type AttemptedDelivery = { delivery: ClaimedDelivery; met: AttemptResult; wasCut: boolean };

async function settleDelivery(
  deps: Deps,
  { delivery, met, wasCut }: AttemptedDelivery,
  tables: Tables,
) {
  const now = deps.clock.now();
  const arrived = met.error === null;
  const isLast = !wasCut && delivery.attempts >= attemptsMax;
  const retryMs = wasCut ? 0 : retryDelayMs(delivery.attempts, deps.random);
  const stillOurs = await tables.deliveries.recordAttempt(delivery, {
    ...met,
    status: arrived ? 'DELIVERED' : isLast ? 'DEAD' : 'PENDING',
    next_attempt_at: arrived || isLast ? null : addMs(now, retryMs),
    delivered_at: arrived ? now : null,
  });
  const target = await tables.webhooks.findInAnyProject(delivery.webhook_id);
  if (!stillOurs || wasCut || target === null) return;
  const patch = arrived ? recoveryPatch(target.webhook) : failurePatch(target.webhook, now);
  if (patch !== null)
    await tables.webhooks.update(delivery.project, target.webhook.webhook_id, patch);
}

type WebhookPatch = Parameters<Tables['webhooks']['update']>[2];

function recoveryPatch({ failing_since }: StoredWebhook): WebhookPatch | null {
  return failing_since === null ? null : { failing_since: null };
}

/** Switches off what has failed for days; what waits is kept until it is switched on again. */
function failurePatch({ failing_since }: StoredWebhook, now: Instant): WebhookPatch | null {
  if (failing_since === null) return { failing_since: now };
  if (now < addMs(failing_since, failingMaxMs)) return null;
  const disabled_reason = `every delivery has failed since ${failing_since}`;
  return { is_active: false, disabled_reason, updated_at: now };
}

const failingMaxMs = 5 * dayMs;
