import * as z from 'zod';
import { limits } from '../limits.ts';
import { type Operation, operation, type Tool } from '../operation.ts';
import { Name } from '../schemas/account.ts';
import { Flag, number, PageNumber, pageOf } from '../schemas/page.ts';
import { Id, uuid } from '../schemas/text.ts';
import {
  Delivery,
  Webhook,
  WebhookEventType,
  WebhookUrl,
  webhookEvents,
} from '../schemas/webhook.ts';

const WebhookRef = z.object({ webhook_id: uuid('webhook_id').describe('Webhook') });
const Message = z.object({ message: z.string() });
const aliases = { eventTypes: 'event_types', projectId: 'project_id', isActive: 'is_active' };

const ofProject: Operation['refusals'] = {
  not_found: 'Project not found',
  forbidden: "You don't have access to this project",
};
const ofWebhook: Operation['refusals'] = {
  not_found: 'Webhook not found',
  forbidden: "You don't have access to this webhook",
};

const fields = {
  url: WebhookUrl,
  name: Name,
  event_types: z
    .array(WebhookEventType)
    .min(1)
    .max(webhookEvents.length * 2)
    .describe('Subscribed'),
  is_active: Flag.describe('Deliver'),
};

function tool(action: string, shown: string[], hints: Partial<Tool> = {}): Tool {
  return {
    title: 'Manage webhooks',
    about: 'Webhooks: notifications of memory changes',
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
    description: 'Subscribes an address to changes of a project; its secret is answered once.',
    scope: 'webhooks:write',
    routes: [
      { method: 'POST', path: '/api/v1/webhooks/projects/{project_id}/', carries: 'body' },
      { method: 'POST', path: '/v1/webhooks/', carries: 'body' },
    ],
    status: 201,
    input: z.object({
      org_id: Id.optional().describe('Organization'),
      project_id: Id.optional().describe('Project'),
      url: fields.url,
      name: fields.name.optional(),
      event_types: fields.event_types.optional(),
      is_active: fields.is_active.default(true),
    }),
    aliases,
    output: Webhook,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals: ofProject,
    tool: tool('create', ['project_id', 'url', 'name', 'event_types'], { idempotent: false }),
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
    aliases,
    output: z.object({ results: z.array(Webhook) }),
    publishes: 'results',
    errors: ['invalid', 'not_found'],
    refusals: ofProject,
    tool: tool('list', ['project_id']),
  }),

  get_webhook: operation({
    summary: 'Get a webhook',
    description: 'Answers one webhook, without its secret.',
    scope: 'webhooks:read',
    subject: 'webhook',
    routes: [{ method: 'GET', path: '/v1/webhooks/{webhook_id}/', carries: 'query' }],
    status: 200,
    input: WebhookRef,
    output: Webhook,
    errors: ['invalid', 'not_found'],
    refusals: ofWebhook,
    tool: tool('get', ['webhook_id']),
  }),

  update_webhook: operation({
    summary: 'Update a webhook',
    description: 'Changes what is sent; switching one on again clears why it was switched off.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      { method: 'PUT', path: '/api/v1/webhooks/{webhook_id}/', carries: 'body' },
      { method: 'PUT', path: '/v1/webhooks/{webhook_id}/', carries: 'body' },
    ],
    status: 200,
    input: WebhookRef.extend(z.object(fields).partial().shape).refine(
      (input) => Object.keys(input).length > 1,
      {
        path: ['url'],
        message: `nothing to update: send one of ${Object.keys(fields).join(', ')}`,
      },
    ),
    aliases,
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals: ofWebhook,
    tool: tool('update', ['webhook_id', 'url', 'name', 'event_types', 'is_active']),
  }),

  delete_webhook: operation({
    summary: 'Delete a webhook',
    description: 'Ends a subscription; deliveries that wait are dropped.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      { method: 'DELETE', path: '/api/v1/webhooks/{webhook_id}/', carries: 'query' },
      { method: 'DELETE', path: '/v1/webhooks/{webhook_id}/', carries: 'query' },
    ],
    status: 200,
    input: WebhookRef,
    output: Message,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals: ofWebhook,
    tool: tool('delete', ['webhook_id'], { destructive: true }),
  }),

  rotate_webhook_secret: operation({
    summary: 'Rotate the secret of a webhook',
    description: 'Answers a new secret, once; the old one signs nothing any more.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [
      { method: 'POST', path: '/api/v1/webhooks/{webhook_id}/rotate-secret/', carries: 'body' },
    ],
    status: 200,
    input: WebhookRef,
    output: Webhook,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals: ofWebhook,
    tool: tool('rotate_secret', ['webhook_id'], { idempotent: false }),
  }),

  test_webhook: operation({
    summary: 'Test a webhook',
    description: 'Sends one test delivery, signed like any other, and answers what it met.',
    scope: 'webhooks:write',
    subject: 'webhook',
    routes: [{ method: 'POST', path: '/api/v1/webhooks/{webhook_id}/test/', carries: 'body' }],
    status: 200,
    input: WebhookRef,
    output: Delivery,
    errors: ['invalid', 'forbidden', 'not_found'],
    refusals: ofWebhook,
    tool: tool('test', ['webhook_id'], { idempotent: false }),
  }),

  list_webhook_deliveries: operation({
    summary: 'List the deliveries of a webhook',
    description: 'The delivery log, newest first.',
    scope: 'webhooks:read',
    subject: 'webhook',
    routes: [
      { method: 'GET', path: '/api/v1/webhooks/{webhook_id}/deliveries/', carries: 'query' },
    ],
    status: 200,
    input: WebhookRef.extend({
      page: PageNumber.default(1),
      page_size: number(z.int().min(1).max(limits.events_page_size_max))
        .default(limits.events_page_size_default)
        .describe(`Default ${limits.events_page_size_default}`),
    }),
    output: pageOf(Delivery),
    errors: ['invalid', 'not_found'],
    refusals: ofWebhook,
    tool: tool('list_deliveries', ['webhook_id', 'page']),
  }),
};
