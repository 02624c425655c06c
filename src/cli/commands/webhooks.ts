import { type App, createApp } from '../../app/create-app.ts';
import type { Delivery, Webhook } from '../../contract/schemas/webhook.ts';
import { isJson, minute, printTable, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { configOf, logOf } from '../configured.ts';
import type { Arguments } from '../flags.ts';
import { print, printJson } from '../output.ts';

type Flags = Arguments['flags'];

export const run: RunCommand = async ({ flags, positionals: [action, ...words] }) => {
  const loaded = await configOf({ flags });
  const app = createApp(loaded.values, { log: logOf(loaded) });
  try {
    if (action === 'deliveries') await deliveries(app, flags, words);
    else await list(app, flags, words);
    return 0;
  } finally {
    await app.close();
  }
};

async function list(app: App, flags: Flags, words: readonly string[]): Promise<void> {
  wordsOf(words);
  const asJson = isJson(flags);
  const answer = await app.invoke('list_webhooks', {}, { caller: app.caller });
  if (asJson) {
    printJson(answer);
    return;
  }
  const rows = answer.results.map((webhook) => [
    ...[webhook.webhook_id, webhook.name, stateOf(webhook), webhook.event_types.join(', ')],
    webhook.url,
  ]);
  printTable(['WEBHOOK ID', 'NAME', 'STATE', 'EVENTS', 'ADDRESS'], rows, 'No webhooks.');
}

function stateOf({ is_active, disabled_reason }: Webhook): string {
  if (is_active) return 'on';
  return disabled_reason === null ? 'off' : `off: ${disabled_reason}`;
}

async function deliveries(app: App, flags: Flags, words: readonly string[]): Promise<void> {
  const [webhook_id] = wordsOf(words, 'WEBHOOK_ID');
  const asJson = isJson(flags);
  const input = { webhook_id, ...(flags.page !== undefined && { page: flags.page }) };
  const answer = await app.invoke('list_webhook_deliveries', input, { caller: app.caller });
  if (asJson) {
    printJson(answer);
    return;
  }
  const heading = ['CREATED', 'EVENT', 'MEMORY', 'STATUS', 'ATTEMPTS', 'NEXT', 'ANSWER'];
  printTable(heading, answer.results.map(toRow), 'No deliveries.');
  const { page, page_size, total } = answer;
  const pages = Math.ceil(total / page_size);
  if (pages > 1) print(`\n  Page ${page} of ${pages}; --page shows another.`);
}

function toRow(delivery: Delivery): string[] {
  const { response_status, error } = delivery;
  const answer = [response_status, error].filter((part) => part !== null).join(': ');
  return [
    ...[minute(delivery.created_at), delivery.event_type, delivery.memory_id ?? '-'],
    ...[delivery.status, String(delivery.attempts), minute(delivery.next_attempt_at)],
    answer === '' ? '-' : answer,
  ];
}
