import type { App } from '../../app/create-app.ts';
import type { Delivery, Webhook } from '../../contract/schemas/webhook.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import { shortIdOf } from '../../contract/short-id.ts';
import { contract } from '../../contract.ts';
import type { RunCommand } from '../command-line/command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { printTable, requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { formatMinute } from '../io/format-minute.ts';
import { pageNote, print, printJson } from '../io/output.ts';

type WebhookFlags = CommandArguments['flags'];

export const run: RunCommand = async ({ flags, positionals: [action, ...words] }) => {
  const loaded = await loadCommandConfig({ flags });
  return withApp(loaded, async (app) => {
    if (action === 'deliveries') await listDeliveries(app, flags, words);
    else await listWebhooks(app, flags, words);
    return 0;
  });
};

async function listWebhooks(
  app: App,
  flags: WebhookFlags,
  words: readonly string[],
): Promise<void> {
  requirePositionals(words);
  const asJson = wantsJsonOutput(flags);
  const answer = await app.invoke('list_webhooks', {}, { caller: app.caller });
  if (asJson) {
    printJson(answer);
    return;
  }
  const rows = answer.results.map((webhook) => [
    shortIdOf(webhook.webhook_id),
    webhook.name,
    describeState(webhook),
    webhook.event_types.join(', '),
    webhook.url,
  ]);
  printTable(['WEBHOOK ID', 'NAME', 'STATE', 'EVENTS', 'ADDRESS'], rows, 'No webhooks.');
}

function describeState({ is_active, disabled_reason }: Webhook): string {
  if (is_active) return 'on';
  return disabled_reason === null ? 'off' : `off: ${disabled_reason}`;
}

async function listDeliveries(
  app: App,
  flags: WebhookFlags,
  words: readonly string[],
): Promise<void> {
  const [webhook_id] = requirePositionals(words, 'WEBHOOK_ID');
  const asJson = wantsJsonOutput(flags);
  const listInput = { webhook_id, ...(flags.page !== undefined && { page: flags.page }) };
  const operation = contract.list_webhook_deliveries;
  const input = await withFullIds({ operation }, listInput, { ...app, scope: {} });
  const answer = await app.invoke('list_webhook_deliveries', input, { caller: app.caller });
  if (asJson) {
    printJson(answer);
    return;
  }
  const heading = ['CREATED', 'EVENT', 'MEMORY', 'STATUS', 'ATTEMPTS', 'NEXT', 'ANSWER'];
  printTable(heading, answer.results.map(deliveryRow), 'No deliveries.');
  const more = pageNote(answer);
  if (more !== '') print(`\n ${more}`);
}

function deliveryRow(delivery: Delivery): string[] {
  const { response_status, error } = delivery;
  const answer = [response_status, error].filter((part) => part !== null).join(': ');
  return [
    formatMinute(delivery.created_at),
    delivery.event_type,
    shortIdOf(delivery.memory_id ?? '-'),
    delivery.status,
    String(delivery.attempts),
    formatMinute(delivery.next_attempt_at),
    answer === '' ? '-' : answer,
  ];
}
