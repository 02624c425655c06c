import type { Input, Output } from '../../src/contract.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import { createDeliveryWorker } from '../../src/core/jobs/delivery-worker.ts';
import type { Deps } from '../../src/core/ports/index.ts';
import type { Worker } from '../../src/core/queue/worker-pool.ts';
import { createWebhookSender } from '../../src/providers/webhook-sender.ts';
import { type Engine, owner, startEngine } from './engine.ts';

/** The embedded engine with a running outbox, which posts to receivers on this machine. */
export type Outbox = Pick<Engine, 'invoke' | 'clock' | 'store' | 'projects'> & {
  deps: Deps;
  worker: Worker;
  /** Creates a webhook and returns it with its secret. */
  subscribe(webhook: Partial<Input<'create_webhook'>> & { url: string }): Promise<Subscribed>;
  add(text: string, more?: Record<string, unknown>): Promise<string>;
  deliveriesOf(webhook_id: string): Promise<Output<'list_webhook_deliveries'>['results']>;
  /** Moves the clock and wakes the outbox. */
  pass(ms: number): void;
  stop(): Promise<void>;
};

type Subscribed = Output<'create_webhook'> & { secret: string };

/** A lease that outlasts all clock changes of a test during an attempt. */
const lease_ms = 30 * 24 * 60 * 60 * 1000;

export const workerOptions = { owner: 'test', lease_ms, timeout_ms: 250, concurrency: 8 };

export async function startOutbox(): Promise<Outbox> {
  const engine = await startEngine();
  const sender = createWebhookSender({ allow_http: true, allow_private: true, timeout_ms: 250 });
  const deps: Deps = { ...engine.deps, sender, wake: () => worker.wake() };
  const worker = createDeliveryWorker(deps, workerOptions);
  const invoke = createInvoke(deps);
  const { clock, store, projects } = engine;
  return {
    invoke,
    clock,
    store,
    projects,
    deps,
    worker,
    subscribe: async (webhook) => {
      const created = await invoke('create_webhook', webhook, { caller: owner });
      return { ...created, secret: created.secret ?? '' };
    },
    add: async (text, more = {}) => {
      const input = { text, user_id: 'alice', ...more };
      const { results } = await invoke('add_memory', input, { caller: owner });
      return results[0]?.id ?? '';
    },
    deliveriesOf: async (webhook_id) => {
      const input = { webhook_id };
      return (await invoke('list_webhook_deliveries', input, { caller: owner })).results;
    },
    pass: (ms) => {
      clock.advance(ms);
      worker.wake();
    },
    stop: async () => {
      await worker.stop();
      await sender.close();
      await engine.stop();
    },
  };
}
