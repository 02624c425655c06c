import type { Delivery } from '../../contract/schemas/webhook.ts';
import type { Deps, ProjectRef, StoredWebhook } from '../ports/index.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { newDelivery } from './outbox.ts';

type TestTarget = { project: ProjectRef; webhook: StoredWebhook; signal?: AbortSignal };

/**
 * Sends a delivery about an invented memory, immediately and once, and logs the outcome. It says
 * nothing about real deliveries, so it does not count as one.
 */
export async function sendTestDelivery(
  deps: Deps,
  { project, webhook, signal }: TestTarget,
): Promise<Delivery> {
  const { webhook_id } = webhook;
  const { project_id } = project;
  const created_at = deps.clock.now();
  const data = { memory: 'This is a test delivery: no memory was added.', test: true };
  const event_details = { id: deps.ids.next(), data, event: 'ADD' };
  const nobody = { user_id: null, agent_id: null, app_id: null, run_id: null };
  const { body, ...delivery } = newDelivery(deps, {
    webhook_id,
    event_type: 'memory:add',
    memory_id: null,
    created_at,
    body: JSON.stringify({ event_details, webhook_id, project_id, ...nobody, created_at }),
  });
  const met = await attemptDelivery(deps, webhook, {
    id: delivery.id,
    body,
    ...(signal && { signal }),
  });
  const arrived = met.error === null;
  const settled: Delivery = {
    ...delivery,
    ...met,
    status: arrived ? 'DELIVERED' : 'DEAD',
    attempts: 1,
    next_attempt_at: null,
    delivered_at: arrived ? deps.clock.now() : null,
  };
  await deps.store.transaction((tables) =>
    tables.deliveries.insert(project, [{ ...settled, body: '' }]),
  );
  return settled;
}
