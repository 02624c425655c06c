import { ApiError, invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { type Webhook, webhookEvents } from '../../contract/schemas/webhook.ts';
import type { Output, Parsed } from '../../contract.ts';
import type {
  Deps,
  Handlers,
  ProjectCall,
  ProjectRef,
  StoredWebhook,
  Tables,
} from '../ports/index.ts';
import { resendDelivery } from '../webhooks/resend.ts';
import { createWebhookSecret } from '../webhooks/signature.ts';
import { sendTestDelivery } from '../webhooks/test-delivery.ts';

type WebhookOperation =
  | 'create_webhook'
  | 'list_webhooks'
  | 'get_webhook'
  | 'update_webhook'
  | 'delete_webhook'
  | 'rotate_webhook_secret'
  | 'test_webhook'
  | 'list_webhook_deliveries'
  | 'resend_webhook_delivery';

export function createWebhookHandlers(deps: Deps): Pick<Handlers, WebhookOperation> {
  const { store, clock } = deps;

  return {
    create_webhook: (input, call) => createWebhook(deps, input, call),

    list_webhooks: async (_input, { project }) => {
      const results = await store.webhooks.list(project);
      return { results: results.map((webhook) => toWebhook(webhook, project)) };
    },

    get_webhook: async ({ webhook_id }, { project }) =>
      toWebhook(await getWebhook(store, project, webhook_id), project),

    update_webhook: (input, call) => updateWebhook(deps, input, call),

    delete_webhook: async ({ webhook_id }, { project }) =>
      store.transaction(async (tables) => {
        await getWebhook(tables, project, webhook_id);
        await tables.webhooks.delete(project, webhook_id);
        return { message: 'Webhook deleted successfully' };
      }),

    rotate_webhook_secret: async ({ webhook_id }, { project }) =>
      store.transaction(async (tables) => {
        const webhook = await getWebhook(tables, project, webhook_id);
        const patch = { secret: createWebhookSecret(deps), updated_at: clock.now() };
        await tables.webhooks.update(project, webhook_id, patch);
        return { ...toWebhook({ ...webhook, ...patch }, project), secret: patch.secret };
      }),

    test_webhook: async ({ webhook_id }, { project, signal }) => {
      const webhook = await getWebhook(store, project, webhook_id);
      return sendTestDelivery(deps, { project, webhook, ...(signal && { signal }) });
    },

    list_webhook_deliveries: async ({ webhook_id, page, page_size }, { project }) => {
      await getWebhook(store, project, webhook_id);
      const query = { webhook_id, page, page_size };
      const { results, total } = await store.deliveries.list(project, query);
      return { results, total, page, page_size };
    },

    resend_webhook_delivery: (ref, call) => resend(deps, ref, call),
  };
}

async function createWebhook(
  deps: Deps,
  { url, name, event_types, is_active }: Parsed<'create_webhook'>,
  { project }: ProjectCall,
): Promise<Output<'create_webhook'>> {
  checkWebhookUrl(deps, url);
  const now = deps.clock.now();
  const webhook: StoredWebhook = {
    webhook_id: deps.ids.next(),
    name: name ?? new URL(url).hostname,
    url,
    event_types: event_types ?? [...webhookEvents],
    is_active,
    disabled_reason: null,
    secret: createWebhookSecret(deps),
    failing_since: null,
    created_at: now,
    updated_at: now,
  };
  await deps.store.transaction(async (tables) => {
    const { length } = await tables.webhooks.list(project);
    if (length >= limits.webhooks_max) {
      const problem = `the project has ${length} webhooks; at most ${limits.webhooks_max}`;
      throw new ApiError('invalid', problem);
    }
    await tables.webhooks.insert(project, webhook);
  });
  return { ...toWebhook(webhook, project), secret: webhook.secret };
}

async function updateWebhook(
  deps: Deps,
  { webhook_id, url, name, event_types, is_active }: Parsed<'update_webhook'>,
  { project }: ProjectCall,
): Promise<Output<'update_webhook'>> {
  if (url !== undefined) checkWebhookUrl(deps, url);
  await deps.store.transaction(async (tables) => {
    await getWebhook(tables, project, webhook_id);
    await tables.webhooks.update(project, webhook_id, {
      ...(url !== undefined && { url }),
      ...(name !== undefined && { name }),
      ...(event_types !== undefined && { event_types }),
      ...(is_active !== undefined && { is_active, disabled_reason: null }),
      // Another address, or another try of the same: failures count from now.
      ...((url !== undefined || is_active) && { failing_since: null }),
      updated_at: deps.clock.now(),
    });
  });
  deps.wake();
  return { message: 'Webhook updated successfully' };
}

async function resend(
  deps: Deps,
  ref: Parsed<'resend_webhook_delivery'>,
  { project }: ProjectCall,
): Promise<Output<'resend_webhook_delivery'>> {
  const delivery = await deps.store.transaction(async (tables) => {
    await getWebhook(tables, project, ref.webhook_id);
    return resendDelivery(deps, { tables, project }, ref);
  });
  deps.wake();
  return delivery;
}

function checkWebhookUrl({ sender }: Deps, url: string): void {
  const problem = sender.urlProblem(url);
  if (problem !== null) throw invalid('url', problem);
}

/** Deleted in between, or in another project than the call was granted for: not found. */
async function getWebhook(
  { webhooks }: Pick<Tables, 'webhooks'>,
  { key }: ProjectRef,
  webhook_id: string,
): Promise<StoredWebhook> {
  const owned = await webhooks.findInAnyProject(webhook_id);
  if (owned?.project.key !== key) throw new ApiError('not_found', 'Webhook not found');
  return owned.webhook;
}

/** Without its secret, which is answered only when it is made. */
function toWebhook(
  { secret: _s, failing_since: _f, ...webhook }: StoredWebhook,
  { project_id }: ProjectRef,
): Webhook {
  return { ...webhook, project: project_id };
}
