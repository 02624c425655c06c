import * as z from 'zod';
import { limits } from '../limits.ts';
import { type Operation, operation, type Tool } from '../operation.ts';
import { DisplayName } from '../schemas/member.ts';
import { PageNumber, pageSchema } from '../schemas/page.ts';
import { Flag, numeric } from '../schemas/query-values.ts';
import { recordId } from '../schemas/record-id.ts';
import { Id } from '../schemas/text.ts';
import {
  Delivery,
  Webhook,
  WebhookEventType,
  WebhookUrl,
  webhookEvents,
} from '../schemas/webhook.ts';

const WebhookRefInput = z.object({
  webhook_id: recordId('webhook', 'webhook_id').describe('Webhook'),
});
const MessageOutput = z.object({ message: z.string() });
const webhookAliases = {
  eventTypes: 'event_types',
  projectId: 'project_id',
  isActive: 'is_active',
};

const projectErrors: Operation['errorMessages'] = {
  not_found: 'Project not found',
  forbidden: "You don't have access to this project",
};
const webhookErrors: Operation['errorMessages'] = {
  not_found: 'Webhook not found',
  forbidden: "You don't have access to this webhook",
};

const webhookFields = {
  url: WebhookUrl,
  name: DisplayName,
  event_types: z
    .array(WebhookEventType)
    .min(1)
    .max(webhookEvents.length * 2)
    .describe('Changes to send, default all'),
  is_active: Flag.describe('Whether it is enabled'),
};

function webhookTool(action: string, shown: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage webhooks',
    description: 'Manage notifications of memory changes.',
    group: { name: 'manage_webhook', action },
    toolsets: ['webhooks'],
    destructive: false,
    idempotent: true,
    fields: shown,
    ...hints,
  };
}

export const webhooks = {
  create_webhook: operation({
    summary: 'Create a webhook',
    description:
      'Subscribes an address to the changes of a project. Its secret is returned only once.',
    scope: 'webhooks:write',
    routes: [
      { method: 'POST', path: '/api/v1/webhooks/projects/{project_id}/', carries: 'body' },
      { method: 'POST', path: '/v1/webhooks/', carries: 'body' },
    ],
    status: 201,
    input: z.object({
      org_id: Id.optional().describe('Organization'),
      project_id: Id.optional().describe('Project'),
      url: webhookFields.url,
      name: webhookFields.name.optional(),
      event_types: webhookFields.event_types.optional(),
      is_active: webhookFields.is_active.default(true),
    }),
    aliases: webhookAliases,
    output: Webhook,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: projectErrors,
    tool: webhookTool('create', ['project_id', 'url', 'name', 'event_types'], {
      idempotent: false,
      approval: ({ url }) => `Send all changes of memories to ${JSON.stringify(url)}`,
    }),
  }),

  list_webhooks: operation({
    summary: 'List webhooks',
    description: 'Lists the webhooks of a project.',
    scope: 'webhooks:read',
    routes: [{ method: 'GET', path: '/api/v1/webhooks/projects/{project_id}/', carries: 'query' }],
    status: 200,
    input: z.object({
      org_id: Id.optional().describe('Organization'),
      project_id: Id.optional().describe('Project'),
    }),
    aliases: webhookAliases,
    output: z.object({ results: z.array(Webhook) }),
    publishedKey: 'results',
    errors: ['invalid', 'not_found'],
    errorMessages: projectErrors,
    tool: webhookTool('list', ['project_id']),
  }),

  get_webhook: operation({
    summary: 'Get a webhook',
    description: 'Returns one webhook, without its secret.',
    scope: 'webhooks:read',
    subject: 'webhook',
    routes: [{ method: 'GET', path: '/v1/webhooks/{webhook_id}/', carries: 'query' }],
    status: 200,
    input: WebhookRefInput,
    output: Webhook,
    errors: ['invalid', 'not_found'],
    errorMessages: webhookErrors,
    tool: webhookTool('get', ['webhook_id']),
  }),

  update_webhook: operation({
    summary: 'Update a webhook',
    description: 'Changes the fields that are sent. Enabling it again clears disabled_reason.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      { method: 'PUT', path: '/api/v1/webhooks/{webhook_id}/', carries: 'body' },
      { method: 'PUT', path: '/v1/webhooks/{webhook_id}/', carries: 'body' },
    ],
    status: 200,
    input: WebhookRefInput.extend(z.object(webhookFields).partial().shape).refine(
      (input) => Object.keys(input).length > 1,
      {
        path: ['url'],
        message: `nothing to update: send one of ${Object.keys(webhookFields).join(', ')}`,
      },
    ),
    aliases: webhookAliases,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: webhookErrors,
    tool: webhookTool('update', ['webhook_id', 'url', 'name', 'event_types', 'is_active'], {
      approval: approvalOfUpdate,
    }),
  }),

  delete_webhook: operation({
    summary: 'Delete a webhook',
    description: 'Ends a subscription and drops its pending deliveries.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      { method: 'DELETE', path: '/api/v1/webhooks/{webhook_id}/', carries: 'query' },
      { method: 'DELETE', path: '/v1/webhooks/{webhook_id}/', carries: 'query' },
    ],
    status: 200,
    input: WebhookRefInput,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: webhookErrors,
    tool: webhookTool('delete', ['webhook_id'], { destructive: true }),
  }),

  rotate_webhook_secret: operation({
    summary: 'Rotate the secret of a webhook',
    description: 'Returns a new secret, only once. The old secret stops working.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/rotate-secret/', carries: 'body' },
    ],
    status: 200,
    input: WebhookRefInput,
    output: Webhook,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: webhookErrors,
    tool: webhookTool('rotate_secret', ['webhook_id'], {
      idempotent: false,
      approval: ({ webhook_id }) => `Replace the secret of webhook ${JSON.stringify(webhook_id)}`,
    }),
  }),

  test_webhook: operation({
    summary: 'Test a webhook',
    description: 'Sends one signed test delivery and returns its outcome.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/test/', carries: 'body' }],
    status: 200,
    input: WebhookRefInput,
    output: Delivery,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages: webhookErrors,
    tool: webhookTool('test', ['webhook_id'], { idempotent: false }),
  }),

  list_webhook_deliveries: operation({
    summary: 'List the deliveries of a webhook',
    description: 'Lists the deliveries of a webhook, newest first.',
    scope: 'webhooks:read',
    subject: 'webhook',
    routes: [
      { method: 'GET', path: '/api/v1/webhooks/{webhook_id}/deliveries/', carries: 'query' },
    ],
    status: 200,
    input: WebhookRefInput.extend({
      page: PageNumber.default(1),
      page_size: numeric(z.int().min(1).max(limits.events_page_size_max))
        .default(limits.events_page_size_default)
        .describe(`Default ${limits.events_page_size_default}`),
    }),
    output: pageSchema(Delivery),
    errors: ['invalid', 'not_found'],
    errorMessages: webhookErrors,
    tool: webhookTool('list_deliveries', ['webhook_id']),
  }),

  resend_webhook_delivery: operation({
    summary: 'Resend a delivery',
    description:
      'Sends a delivery again, with the same id and the same retries. A delivery that is waiting ' +
      'for its next attempt is sent now. A settled delivery keeps no text, so it carries the ' +
      'present text of the memory.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      {
        method: 'POST',
        path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend/',
        carries: 'body',
      },
    ],
    status: 200,
    input: WebhookRefInput.extend({ delivery_id: Id.describe('Delivery') }),
    output: Delivery,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    errorMessages: webhookErrors,
    tool: null,
  }),
};

/** Another name sends nothing elsewhere, and neither does switching it off. */
function approvalOfUpdate(input: Readonly<Record<string, unknown>>): string | null {
  const { webhook_id, url, event_types, is_active } = input;
  const webhook = `webhook ${JSON.stringify(webhook_id)}`;
  if (url !== undefined)
    return `Send the changes of memories of ${webhook} to ${JSON.stringify(url)}`;
  if (event_types !== undefined) return `Send ${JSON.stringify(event_types)} to ${webhook}`;
  return is_active === true ? `Send changes of memories to ${webhook} again` : null;
}
