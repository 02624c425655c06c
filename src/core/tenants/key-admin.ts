import type { Caller } from '../../contract.ts';
import { auditKeys } from '../audit/audited-keys.ts';
import type { Deps } from '../ports/index.ts';
import { authenticate, bootstrapKey, createKey, type NewKey } from './keys.ts';

export type KeyEngine = { deps: Deps; keyUsed(key_id: string): void };

/** Administration of the store's API keys by this caller. */
export function openKeyAdmin({ deps, keyUsed }: KeyEngine, caller: Caller) {
  const { store, clock, audit } = deps;
  const keys = {
    create: (key: NewKey) => createKey(deps, key),
    list: () => store.keys.list(),
    revoke: (key_id: string) =>
      store.transaction((tables) => tables.keys.revoke(key_id, clock.now())),
  };
  return {
    ...(audit === undefined ? keys : auditKeys(keys, deps, { ...audit, caller })),
    authenticate: async (key: string) => {
      const caller = await authenticate(deps, key);
      if (caller !== null) keyUsed(caller.key_id);
      return caller;
    },
    bootstrap: (configured: string | null) => bootstrapKey(deps, configured),
  };
}
