import type { App } from '../../../app/create-app.ts';
import { formatCount } from '../../../contract/format-count.ts';
import type { ReviewReason } from '../../../contract/schemas/memory.ts';
import { withFullIds } from '../../../contract/scope/full-ids.ts';
import { shortIdOf } from '../../../contract/short-id.ts';
import { contract, type OperationName, type Output } from '../../../contract.ts';
import type { RunCommand } from '../../command-line/command.ts';
import type { CommandArguments } from '../../command-line/flags.ts';
import { requirePositionals, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withApp } from '../../context/with-app.ts';
import { pageNote, print, printJson } from '../../io/output.ts';
import { printableLine } from '../../io/printable.ts';

type Flags = CommandArguments['flags'];

/** Lists the memories of the configured project that wait for a review, or decides about one. */
export const run: RunCommand = async ({ flags, positionals: [action, ...words] }) => {
  const { entities, options } = splitEntities(flags);
  const loaded = await loadCommandConfig({ flags: options });
  return withApp({ ...loaded, creates_project: false }, async (app) => {
    if (action === 'list') await listWaiting(app, { ...options, ...entities }, words);
    else await decide(app, { action, flags: options, words });
    return 0;
  });
};

/** Reviews are of the whole project, unless the command itself names an entity. */
function splitEntities(flags: Flags): { entities: Flags; options: Flags } {
  const isEntity = ([name]: [string, unknown]) => entityFields.includes(name);
  const entries = Object.entries(flags);
  return {
    entities: Object.fromEntries(entries.filter(isEntity)),
    options: Object.fromEntries(entries.filter((flag) => !isEntity(flag))),
  };
}

const entityFields = ['user_id', 'agent_id', 'app_id', 'run_id'];

async function listWaiting(app: App, flags: Flags, words: readonly string[]): Promise<void> {
  requirePositionals(words);
  const entries = Object.entries(flags).filter(([name]) =>
    [...entityFields, 'page'].includes(name),
  );
  const answer = await invokeByShortIds(app, 'list_reviews', Object.fromEntries(entries));
  if (wantsJsonOutput(flags)) {
    printJson(answer);
    return;
  }
  const { results, total } = answer;
  if (results.length === 0) {
    print('Nothing waits for a review.');
    return;
  }
  for (const memory of results) {
    print(`${shortIdOf(memory.id)}  ${printableLine(memory.memory)}`);
    print(`          ${printableLine(whyItWaits(memory))}`);
  }
  print(`\n${formatCount(total, 'memory waits', 'memories wait')}.${pageNote(answer)}`);
  print('Decide with mneme review accept ID, decline ID or never ID.');
}

type Waiting = Output<'list_reviews'>['results'][number];

function whyItWaits({ review_reason, source_class, user_id, supersedes }: Waiting): string {
  const parts = [
    ...(review_reason === null ? [] : [reasons[review_reason]]),
    `from: ${source_class}`,
    ...(user_id === null ? [] : [`user: ${user_id}`]),
    ...(supersedes === null ? [] : [`would replace: ${supersedes.memory}`]),
  ];
  return parts.join('; ');
}

const reasons: Readonly<Record<ReviewReason, string>> = {
  source: 'its source is not trusted',
  flagged: 'reads like orders to an agent',
  unsure: 'extraction is not sure of it',
  all: 'all new memories wait',
};

type Deciding = { action: string | undefined; flags: Flags; words: readonly string[] };

async function decide(app: App, { action, flags, words }: Deciding): Promise<void> {
  const [memory_id] = requirePositionals(words, 'MEMORY_ID');
  const { text } = flags;
  const input = { memory_id, decision: action, ...(text !== undefined && { text }) };
  const answer = await invokeByShortIds(app, 'review_memory', input);
  if (wantsJsonOutput(flags)) printJson(answer);
  else print(answer.message);
}

async function invokeByShortIds<N extends OperationName>(
  app: App,
  name: N,
  flags: Readonly<Record<string, unknown>>,
): Promise<Output<N>> {
  const operation = contract[name];
  const input = await withFullIds({ operation }, flags, { ...app, scope: {} });
  return app.invoke(name, input, { caller: app.caller });
}
