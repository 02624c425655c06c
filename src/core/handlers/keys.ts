import { ApiError } from '../../contract/errors.ts';
import type { ApiKey, apiKeys } from '../../contract/operations/keys.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import type { Caller, Parsed } from '../../contract.ts';
import type { Deps, Handlers, ProjectCall, StoredKey, Tables } from '../ports/index.ts';
import { administersStore, getCallingAccount } from '../tenants/accounts.ts';
import { createKey } from '../tenants/keys.ts';

export function createKeyHandlers(deps: Deps): Pick<Handlers, keyof typeof apiKeys> {
  const { store, clock } = deps;

  return {
    create_key: async (input, call) => {
      const { key, record } = await makeKey(deps, input, call);
      return { ...(await toApiKey(store, record)), key };
    },

    list_keys: async (_input, { caller }) => {
      const keys = await listSeenKeys(store, caller);
      return { results: await Promise.all(keys.map((key) => toApiKey(store, key))) };
    },

    revoke_key: async ({ key_id }, { caller }) => {
      const seen = await listSeenKeys(store, caller);
      if (!seen.some((key) => key.key_id === key_id)) {
        throw new ApiError('not_found', 'no key has this id; list_keys shows the ids');
      }
      await store.transaction((tables) => tables.keys.revoke(key_id, clock.now()));
      return { message: 'Key revoked successfully', key_id };
    },
  };
}

/** Access to the named project was checked, and a key only limits what its account reaches. */
async function makeKey(
  deps: Deps,
  { name, email, read_only, reach, expires_in_days }: Parsed<'create_key'>,
  { caller, project: { org_id, project_id } }: ProjectCall,
) {
  if (caller.role !== undefined) {
    throw new ApiError('forbidden', 'a token cannot create keys: call with an API key');
  }
  const { store } = deps;
  const { email: own } = await getCallingAccount(caller, store);
  if (email !== undefined && email !== own && !(await administersStore(caller, store))) {
    throw new ApiError('forbidden', 'only the owner of the store creates keys for others');
  }
  const limits = [reach, caller.bound_to];
  const inProject = limits.includes('project');
  return createKey(deps, {
    name,
    email: email ?? own,
    org_id: inProject || limits.includes('organization') ? org_id : null,
    project_id: inProject ? project_id : null,
    read_only,
    expires_at: await endOfKey(deps, expires_in_days, caller),
  });
}

/** A key cannot outlive the key that creates it: otherwise it could renew itself forever. */
async function endOfKey(
  { store, clock }: Deps,
  days: number | undefined,
  { key_id }: Caller,
): Promise<string | null> {
  const calling = (await store.keys.list()).find((key) => key.key_id === key_id);
  const last = calling?.expires_at ?? null;
  if (days === undefined) return last;
  const end = new Date(Date.parse(clock.now()) + days * dayMs).toISOString();
  return last !== null && last < end ? last : end;
}

/** The account's keys within the caller's binding; all keys for the owner of the store. */
async function listSeenKeys(tables: Tables, caller: Caller): Promise<StoredKey[]> {
  const keys = await tables.keys.list();
  if (await administersStore(caller, tables)) return keys;
  const { account_id } = await getCallingAccount(caller, tables);
  return keys.filter(
    (key) =>
      key.account_id === account_id &&
      (caller.bound_to === null || key.org_id === caller.org_id) &&
      (caller.bound_to !== 'project' || key.project_id === caller.project_id),
  );
}

async function toApiKey(
  { accounts }: Pick<Tables, 'accounts'>,
  { hash: _, account_id, ...key }: StoredKey,
): Promise<ApiKey> {
  const account = await accounts.find(account_id);
  return { ...key, account: account?.email ?? account_id };
}
