import type { App } from '../../app/create-app.ts';
import type { RunCommand } from '../command-line/command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { printTable, requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { formatMinute } from '../io/format-minute.ts';
import { print, printJson } from '../io/output.ts';

type InvitationFlags = CommandArguments['flags'];

/** Lists the invitations of the account, or answers those of one organization. */
export const run: RunCommand = async ({ flags, positionals: [action, ...words] }) => {
  const loaded = await loadCommandConfig({ flags });
  return withApp(loaded, async (app) => {
    if (action === 'list') await listInvitations(app, flags, words);
    else await answer(app, { isAccepted: action === 'accept', flags, words });
    return 0;
  });
};

async function listInvitations(
  app: App,
  flags: InvitationFlags,
  words: readonly string[],
): Promise<void> {
  requirePositionals(words);
  const { page } = flags;
  const input = page === undefined ? {} : { page };
  const invitations = await app.invoke('list_invitations', input, { caller: app.caller });
  if (wantsJsonOutput(flags)) {
    printJson(invitations);
    return;
  }
  const rows = invitations.results.map((one) => [
    one.org_id,
    one.role,
    formatMinute(one.created_at),
    one.organization_name,
    one.project_name ?? '-',
  ]);
  const heading = ['ORG ID', 'ROLE', 'INVITED', 'ORGANIZATION', 'PROJECT'];
  printTable(heading, rows, 'No invitations.');
}

type Answering = { isAccepted: boolean; flags: InvitationFlags; words: readonly string[] };

async function answer(app: App, { isAccepted, flags, words }: Answering): Promise<void> {
  const [org_id] = requirePositionals(words, 'ORG_ID');
  const name = isAccepted ? 'accept_invitation' : 'decline_invitation';
  const output = await app.invoke(name, { org_id }, { caller: app.caller });
  if (wantsJsonOutput(flags)) printJson(output);
  else print(output.message);
}
