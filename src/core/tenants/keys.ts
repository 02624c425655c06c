import { createHash } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Caller } from '../../contract.ts';
import type { Deps, Instant, KeyRights, StoredKey, Tables } from '../ports/index.ts';
import { findOrInviteAccount } from './accounts.ts';
import { findByIdOrName } from './named-project.ts';

export type NewKey = {
  name: string;
  /** The e-mail address of the key's account; null for the account that the store was made with. */
  email: string | null;
  org_id: string | null;
  project_id: string | null;
  read_only: boolean;
  expires_at: string | null;
};

/** Makes a key. Its text is answered here and kept nowhere: the store has its hash only. */
export async function createKey(deps: Deps, wanted: NewKey): Promise<MadeKey> {
  return deps.store.transaction((tables) => addKey(deps, wanted, tables));
}

type MadeKey = { key: string; record: StoredKey };

async function addKey(
  deps: Deps,
  { email, org_id, project_id, ...about }: NewKey,
  tables: Tables,
): Promise<MadeKey> {
  const key = `mk_${toBase62(deps.random(keyBytes))}`;
  const account =
    email === null
      ? await tables.accounts.getFirst()
      : await findOrInviteAccount(deps, email, tables);
  const binding = await getKeyBinding(tables, { org_id, project_id });
  const record = newStoredKey(deps, key, { ...about, ...binding, account_id: account.account_id });
  await tables.keys.insert(record);
  return { key, record };
}

const keyBytes = 32;

/**
 * Creates the first key of a store, for its first account, and returns its text; null if a key
 * exists already. A `given` key is always made usable, and is never returned.
 */
export async function bootstrapKey(deps: Deps, given: string | null): Promise<string | null> {
  if (given === null) {
    // Two servers may start at once on an empty store: one of them makes it.
    return deps.store.transaction(async (tables) => {
      if ((await tables.keys.list()).length > 0) return null;
      return (await addKey(deps, { ...unboundKeyFields, name: 'first key' }, tables)).key;
    });
  }
  await deps.store.transaction(async (tables) => {
    if ((await tables.keys.findByHash(hashKey(given))) !== null) return;
    const { account_id } = await tables.accounts.getFirst();
    await tables.keys.insert(
      newStoredKey(deps, given, { ...unboundKeyFields, name: 'bootstrap', account_id }),
    );
  });
  return null;
}

const unboundKeyFields = {
  email: null,
  org_id: null,
  project_id: null,
  read_only: false,
  expires_at: null,
};

/** The caller that a key's text authenticates; null when it is unknown, revoked or expired. */
export async function authenticate(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  key: string,
): Promise<{ caller: Caller; key_id: string } | null> {
  const record = await store.keys.findByHash(hashKey(key));
  return record === null ? null : toKeyOwner(record, clock.now());
}

/** The caller that a stored key authenticates; null when it is revoked or expired. */
export function toKeyOwner(
  key: KeyRights,
  now: Instant,
): { caller: Caller; key_id: string } | null {
  const { key_id, account_id, org_id, project_id, read_only, revoked_at, expires_at } = key;
  if (revoked_at !== null || (expires_at !== null && expires_at <= now)) return null;
  const bound_to = project_id !== null ? 'project' : org_id !== null ? 'organization' : null;
  return { caller: { account_id, key_id, org_id, project_id, bound_to, read_only }, key_id };
}

/** A bound key keeps both ids, so that a project says which organization it is of. */
async function getKeyBinding(
  tables: Pick<Deps['store'], 'projects' | 'organizations'>,
  { org_id, project_id }: Pick<NewKey, 'org_id' | 'project_id'>,
): Promise<Pick<StoredKey, 'org_id' | 'project_id'>> {
  if (project_id !== null) {
    const { project } = await findByIdOrName(tables, { org_id, project_id });
    if (project === null) throw new ApiError('not_found', 'organization or project not found');
    return { org_id: project.org_id, project_id: project.project_id };
  }
  if (org_id !== null && (await tables.organizations.find(org_id)) === null) {
    throw new ApiError('not_found', 'organization not found');
  }
  return { org_id, project_id: null };
}

function newStoredKey(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  key: string,
  about: StrictOmit<
    StoredKey,
    'key_id' | 'prefix' | 'hash' | 'revoked_at' | 'last_used_at' | 'created_at'
  >,
): StoredKey {
  const { account_id, name, org_id, project_id, read_only, expires_at } = about;
  return {
    account_id,
    name,
    org_id,
    project_id,
    read_only,
    expires_at,
    key_id: ids.next(),
    prefix: key.slice(0, prefixChars),
    hash: hashKey(key),
    revoked_at: null,
    last_used_at: null,
    created_at: clock.now(),
  };
}

const prefixChars = 'mk_12345'.length;

/** A key is random and long: one round of SHA-256 is as hard to turn back as the key to guess. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function toBase62(bytes: Uint8Array): string {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  while (number > 0n) {
    text = `${base62Digits[Number(number % 62n)]}${text}`;
    number /= 62n;
  }
  return text.padStart(base62Chars, '0');
}

/** 32 bytes in base 62: 256 / log2(62), rounded up. */
const base62Chars = 43;
