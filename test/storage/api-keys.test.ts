import { describe, expect, it } from 'vitest';
import type { Store, StoredKey } from '../../src/core/ports/index.ts';
import { later, now } from './memory.ts';
import { makeKey } from './records.ts';
import { makeStore } from './support.ts';

async function addKey(store: Store, parts: Partial<StoredKey> = {}) {
  const { account_id } = await store.accounts.getFirst();
  const key = makeKey({ account_id, ...parts });
  await store.transaction((tx) => tx.keys.insert(key));
  return key;
}

describe('a key', () => {
  it('is found by its hash, as it was made', async () => {
    const { store } = await makeStore();
    const plain = await addKey(store);
    const bound = await addKey(store, {
      org_id: 'acme',
      project_id: 'own',
      read_only: true,
      expires_at: later(60),
    });

    expect(await store.keys.findByHash(plain.hash)).toStrictEqual(plain);
    expect(await store.keys.findByHash(bound.hash)).toStrictEqual(bound);
    expect(await store.keys.findByHash('unknown')).toBeNull();
  });

  it('has a unique hash', async () => {
    const { store } = await makeStore();
    const { hash } = await addKey(store);

    await expect(addKey(store, { hash })).rejects.toThrow();
  });

  it('is listed, newest first', async () => {
    const { store } = await makeStore();
    const first = await addKey(store);
    const second = await addKey(store);

    expect(await store.keys.list()).toStrictEqual([second, first]);
  });

  it('is revoked once and stays in the list', async () => {
    const { store } = await makeStore();
    const key = await addKey(store);
    const revoke = (key_id: string, at: string) =>
      store.transaction((tx) => tx.keys.revoke(key_id, at));

    expect(await revoke(key.key_id, now)).toBe(true);
    expect(await revoke(key.key_id, later(5))).toBe(true);
    expect(await revoke('unknown', now)).toBe(false);

    expect(await store.keys.list()).toEqual([{ ...key, revoked_at: now }]);
  });

  it('remembers when it was used last', async () => {
    const { store } = await makeStore();
    const [used, idle] = [await addKey(store), await addKey(store)];
    const touch = (at: string) => store.transaction((tx) => tx.keys.touch([used.key_id, '?'], at));

    await touch(later(5));
    await touch(later(3));

    expect(await store.keys.findByHash(used.hash)).toMatchObject({ last_used_at: later(5) });
    expect(await store.keys.findByHash(idle.hash)).toMatchObject({ last_used_at: null });
  });
});
