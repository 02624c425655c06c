import * as z from 'zod';
import type { App } from '../../app/create-app.ts';
import { ApiError } from '../../contract/errors.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { DisplayName, Email } from '../../contract/schemas/member.ts';
import { Flag, numeric } from '../../contract/schemas/query-values.ts';
import { Id } from '../../contract/schemas/text.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { printTable, requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { withApp } from '../context/with-app.ts';
import { formatMinute } from '../io/format-minute.ts';
import { print, printJson } from '../io/output.ts';

type KeyFlags = CommandArguments['flags'];

export const run: RunCommand = async ({ flags, positionals: [action, ...words] }) => {
  // In `keys create` these flags limit the key; they do not configure this command.
  const { org_id: _, project_id: __, read_only: ___, ...options } = flags;
  const loaded = await loadLocalConfig({ flags: action === 'create' ? options : flags }, 'keys');
  return withApp(loaded, async (app) => {
    if (action === 'create') await createKey(app, flags, words);
    else if (action === 'revoke') await revokeKey(app, flags, words);
    else await listKeys(app, flags, words);
    return 0;
  });
};

/** Ten years: a key that should last longer needs no expiry. */
const daysMax = 3650;

const NewKey = z.object({
  name: DisplayName.default('unnamed'),
  email: Email.nullable().default(null),
  org_id: Id.nullable().default(null),
  project_id: Id.nullable().default(null),
  read_only: Flag.default(false),
  expires_in_days: numeric(z.int().min(1).max(daysMax)).nullable().default(null),
});

async function createKey(app: App, flags: KeyFlags, words: readonly string[]): Promise<void> {
  requirePositionals(words);
  const asJson = wantsJsonOutput(flags);
  const { expires_in_days, ...about } = parseInput({ input: NewKey }, flags);
  const expires_at = expires_in_days === null ? null : daysFromNow(expires_in_days);
  const { key, record } = await app.keys.create({ ...about, expires_at });
  const description = await describeKey(app, record);
  if (asJson) {
    printJson({ key, ...description });
    return;
  }
  print(key);
  const limits = [describeReach(description), ...(description.read_only ? ['read only'] : [])].join(
    ', ',
  );
  const end =
    description.expires_at === null ? '' : `, until ${formatMinute(description.expires_at)}`;
  printToStderr(`key ${description.key_id} of ${description.account}: ${limits}${end}`);
  printToStderr('Save it now: it is not shown again.');
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString();
}

async function listKeys(app: App, flags: KeyFlags, words: readonly string[]): Promise<void> {
  requirePositionals(words);
  const asJson = wantsJsonOutput(flags);
  const keys = await app.keys.list();
  const descriptions = await Promise.all(keys.map((key) => describeKey(app, key)));
  if (asJson) {
    printJson({ keys: descriptions });
    return;
  }
  const rows = descriptions.map((key) => [
    key.key_id,
    key.prefix,
    key.name,
    key.account,
    describeReach(key),
    key.read_only ? 'yes' : 'no',
    formatMinute(key.expires_at),
    formatMinute(key.last_used_at),
    formatMinute(key.revoked_at),
  ]);
  const heading = ['KEY ID', 'PREFIX', 'NAME', 'ACCOUNT', 'REACHES', 'READ ONLY', 'EXPIRES'];
  printTable(
    [...heading, 'LAST USED', 'REVOKED'],
    rows,
    'No keys yet; mneme keys create makes one.',
  );
}

async function revokeKey(app: App, flags: KeyFlags, words: readonly string[]): Promise<void> {
  const [key_id = ''] = requirePositionals(words, 'KEY_ID');
  const asJson = wantsJsonOutput(flags);
  if (!(await app.keys.revoke(key_id))) {
    throw new ApiError('not_found', 'no key has this id; mneme keys list shows the ids');
  }
  if (asJson) printJson({ key_id, revoked: true });
  else print(`revoked ${key_id}`);
}

type ListedKey = Awaited<ReturnType<App['keys']['list']>>[number];

/** The public fields of a key, with the email of its account. */
async function describeKey(app: App, { hash: _, account_id, ...key }: ListedKey) {
  const { store } = await app.open();
  const account = await store.accounts.find(account_id);
  return { ...key, account: account?.email ?? account_id };
}

function describeReach({ org_id, project_id }: Pick<ListedKey, 'org_id' | 'project_id'>): string {
  if (project_id !== null) return `project ${project_id}`;
  return org_id === null ? 'its whole account' : `organization ${org_id}`;
}
