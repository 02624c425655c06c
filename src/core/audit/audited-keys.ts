import { ApiError } from '../../contract/errors.ts';
import type { Caller } from '../../contract.ts';
import type { AuditedCall, AuditLog, Deps, StoredKey } from '../ports/index.ts';

/** The administration of keys by commands. */
type Keys<New> = {
  create(key: New): Promise<{ key: string; record: StoredKey }>;
  list(): Promise<StoredKey[]>;
  revoke(key_id: string): Promise<boolean>;
};

type KeyCall = Pick<AuditedCall, 'name' | 'input'> & { key: StoredKey | undefined };

/** Records what is done to keys as if it were calls of operations, refusals too. */
export function auditKeys<New>(
  keys: Keys<New>,
  { store }: Pick<Deps, 'store'>,
  { record, caller }: AuditLog & { caller: Caller },
): Keys<New> {
  const write = async ({ key, ...call }: KeyCall, { output = null, error = null }: Ended) => {
    const project_id = key?.project_id ?? null;
    const project = project_id === null ? null : await store.projects.find({ project_id });
    await record({ ...call, caller, project, output, error });
  };

  return {
    create: async (input) => {
      const about = { name: 'create_key', input } as const;
      const created = await keys.create(input).catch(async (error: unknown) => {
        await write({ ...about, key: undefined }, { error });
        throw error;
      });
      await write({ ...about, key: created.record }, { output: created.record });
      return created;
    },
    list: async () => {
      const output = await keys.list();
      await write({ name: 'list_keys', input: {}, key: undefined }, { output });
      return output;
    },
    revoke: async (key_id) => {
      const revoked = await keys.revoke(key_id);
      const key = (await keys.list()).find((one) => one.key_id === key_id);
      const error = revoked ? null : new ApiError('not_found', 'no key has this id');
      await write({ name: 'revoke_key', input: { key_id }, key }, { error });
      return revoked;
    },
  };
}

type Ended = { output?: unknown; error?: unknown };
