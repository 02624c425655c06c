import * as z from 'zod';
import { type App, createApp } from '../../app/create-app.ts';
import { ApiError } from '../../contract/errors.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { DisplayName, Email } from '../../contract/schemas/member.ts';
import { Flag, numeric } from '../../contract/schemas/page.ts';
import { Id } from '../../contract/schemas/text.ts';
import { printToStderr } from '../../log.ts';
import { isJson, minute, printTable, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { localConfigOf, logOf } from '../configured.ts';
import type { Arguments } from '../flags.ts';
import { print, printJson } from '../output.ts';

type Flags = Arguments['flags'];

export const run: RunCommand = async ({ flags, positionals: [action, ...words] }) => {
  // Here these flags say what a key is bound to, not where requests of this command go.
  const { org_id: _, project_id: __, read_only: ___, ...shared } = flags;
  const loaded = await localConfigOf({ flags: action === 'create' ? shared : flags }, 'keys');
  const app = createApp(loaded.values, { log: logOf(loaded) });
  try {
    if (action === 'create') await create(app, flags, words);
    else if (action === 'revoke') await revoke(app, flags, words);
    else await list(app, flags, words);
    return 0;
  } finally {
    await app.close();
  }
};

/** Ten years: a key that shall last longer needs no end. */
const daysMax = 3650;

const NewKey = z.object({
  name: DisplayName.default('unnamed'),
  email: Email.nullable().default(null),
  org_id: Id.nullable().default(null),
  project_id: Id.nullable().default(null),
  read_only: Flag.default(false),
  expires_in_days: numeric(z.int().min(1).max(daysMax)).nullable().default(null),
});

async function create(app: App, flags: Flags, words: readonly string[]): Promise<void> {
  wordsOf(words);
  const asJson = isJson(flags);
  const { expires_in_days, ...about } = parseInput({ input: NewKey }, flags);
  const expires_at = expires_in_days === null ? null : inDays(expires_in_days);
  const { key, record } = await app.keys.create({ ...about, expires_at });
  const shown = await describe(app, record);
  if (asJson) {
    printJson({ key, ...shown });
    return;
  }
  print(key);
  const limits = [boundTo(shown), ...(shown.read_only ? ['read only'] : [])].join(', ');
  const end = shown.expires_at === null ? '' : `, until ${minute(shown.expires_at)}`;
  printToStderr(`key ${shown.key_id} of ${shown.account}: ${limits}${end}`);
  printToStderr('Keep it now: it is not shown again.');
}

const dayMs = 24 * 60 * 60 * 1000;

function inDays(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString();
}

async function list(app: App, flags: Flags, words: readonly string[]): Promise<void> {
  wordsOf(words);
  const asJson = isJson(flags);
  const keys = await app.keys.list();
  const shown = await Promise.all(keys.map((key) => describe(app, key)));
  if (asJson) {
    printJson({ keys: shown });
    return;
  }
  const rows = shown.map((key) => [
    ...[key.key_id, key.prefix, key.name, key.account, boundTo(key)],
    ...[key.read_only ? 'yes' : 'no', minute(key.expires_at), minute(key.last_used_at)],
    minute(key.revoked_at),
  ]);
  const heading = ['KEY ID', 'PREFIX', 'NAME', 'ACCOUNT', 'REACHES', 'READ ONLY', 'EXPIRES'];
  printTable([...heading, 'LAST USED', 'REVOKED'], rows, 'No key yet: mneme keys create.');
}

async function revoke(app: App, flags: Flags, words: readonly string[]): Promise<void> {
  const [key_id = ''] = wordsOf(words, 'KEY_ID');
  const asJson = isJson(flags);
  if (!(await app.keys.revoke(key_id))) {
    throw new ApiError('not_found', 'no key has this id; mneme keys list shows them');
  }
  if (asJson) printJson({ key_id, revoked: true });
  else print(`revoked ${key_id}`);
}

type StoredKey = Awaited<ReturnType<App['keys']['list']>>[number];

/** What may be shown of a key, and whose it is. */
async function describe(app: App, { hash: _, account_id, ...key }: StoredKey) {
  const { store } = await app.open();
  const account = await store.accounts.find(account_id);
  return { ...key, account: account?.email ?? account_id };
}

function boundTo({ org_id, project_id }: Pick<StoredKey, 'org_id' | 'project_id'>): string {
  if (project_id !== null) return `project ${project_id}`;
  return org_id === null ? 'all of its account' : `organization ${org_id}`;
}
