import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionOwner, Store } from '../../src/core/ports/index.ts';
import { openSessions } from '../../src/core/tenants/sessions.ts';
import { later, now } from './memory.ts';
import { makeKey } from './records.ts';
import { makeFolder, makeStore, open } from './support.ts';

/** The sessions of a store at a time in minutes. */
function sessionsOf(store: Store, at = 0) {
  const clock = { now: () => later(at) };
  const used: string[] = [];
  // Nothing else of the engine takes part.
  const deps = { store, clock } as Parameters<typeof openSessions>[0]['deps'];
  return { used, ...openSessions({ deps, keyUsed: (key_id) => used.push(key_id) }) };
}

async function addKey(store: Store, parts: object = {}): Promise<string> {
  const { account_id } = await store.accounts.getFirst();
  const key = makeKey({ account_id, ...parts });
  await store.transaction((tx) => tx.keys.insert(key));
  return key.key_id;
}

const session = (hash: string, owner: SessionOwner) => {
  return { hash, proof_hash: `proof of ${hash}`, owner, ends_at: later(60) };
};

const limits = { org_id: 'acme', project_id: 'own', bound_to: 'project', read_only: true } as const;

describe('a session in the store', () => {
  it('authenticates its key as it is now, until that is revoked or expires', async () => {
    const { store } = await makeStore();
    const sessions = sessionsOf(store);
    const bound = { org_id: 'acme', project_id: 'own', read_only: true, expires_at: later(30) };
    const key_id = await addKey(store, bound);
    const other = await addKey(store);
    await sessions.start(session('a', { key_id }), null);
    await sessions.start(session('b', { key_id: other }), null);

    const { account_id } = await store.accounts.getFirst();
    expect(await sessions.find('a')).toEqual({
      proof_hash: 'proof of a',
      ends_at: later(60),
      key_id,
      caller: { account_id, key_id, ...limits },
    });
    expect(sessions.used).toEqual([key_id]);
    expect(await sessionsOf(store, 30).find('a')).toBeNull();
    await store.transaction((tx) => tx.keys.revoke(other, now));
    expect([await sessions.find('b'), await store.sessions.count()]).toEqual([null, 1]);
  });

  it('authenticates what a link allowed, while its account exists', async () => {
    const { store } = await makeStore();
    const sessions = sessionsOf(store);
    const { account_id } = await store.accounts.getFirst();
    await sessions.start(session('a', { link: { account_id, ...limits } }), null);
    await sessions.start(session('b', { link: { account_id: 'gone', ...limits } }), null);

    expect(await sessions.find('a')).toMatchObject({
      caller: { account_id, ...limits },
      key_id: null,
    });
    expect(await sessions.find('b')).toBeNull();
  });

  it('ends when it is ended, and when its browser starts another', async () => {
    const { store } = await makeStore();
    const sessions = sessionsOf(store);
    const key_id = await addKey(store);
    await sessions.start(session('a', { key_id }), null);
    await sessions.start(session('b', { key_id }), 'a');
    expect([await sessions.find('a'), await sessions.find('b')]).toEqual([null, expect.anything()]);

    await sessions.end('b');

    expect(await store.sessions.count()).toBe(0);
  });

  it('is ended by the 20th newer one of its own key, or of links', async () => {
    const { store } = await makeStore();
    const sessions = sessionsOf(store);
    const { account_id } = await store.accounts.getFirst();
    const owners = [
      { key_id: await addKey(store) },
      { key_id: await addKey(store) },
      { link: { account_id, ...limits } },
    ];
    for (const [at, owner] of owners.entries()) {
      const count = at === 1 ? 2 : 21;
      for (let made = 0; made < count; made += 1) {
        await sessions.start(session(`${at} ${made}`, owner), null);
      }
    }

    const found = await Promise.all(
      ['0 0', '0 1', '1 0', '1 1', '2 0', '2 1'].map((hash) => sessions.find(hash)),
    );

    expect(found.map((one) => one !== null)).toEqual([false, true, true, true, false, true]);
    expect(await store.sessions.count()).toBe(42);
  });

  it('is deleted once it is over, when another starts', async () => {
    const { store } = await makeStore();
    const key_id = await addKey(store);
    await sessionsOf(store).start(session('a', { key_id }), null);

    await sessionsOf(store, 60).start({ ...session('b', { key_id }), ends_at: later(90) }, null);

    expect([await store.sessions.find('a'), await store.sessions.count()]).toEqual([null, 1]);
  });

  it('is refused beyond 10,000, and ends none of other keys', async () => {
    const { store } = await makeStore();
    await store.transaction(async (tx) => {
      for (let made = 0; made < 10_000; made += 1) {
        await tx.sessions.insert(session(`${made}`, { key_id: `key ${made}` }));
      }
    });
    const key_id = await addKey(store);

    const refused = sessionsOf(store).start(session('a', { key_id }), null);

    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.sessions.count()).toBe(10_000);
  });

  it('is known to every process of the store, to a later one, and to no other store', async () => {
    const folder = await makeFolder();
    const [first, second, stranger] = [await open(folder), await open(folder), await makeStore()];
    const key_id = await addKey(first);
    await sessionsOf(first).start(session('a', { key_id }), null);

    expect(await sessionsOf(second).find('a')).toMatchObject({ key_id });
    expect(await sessionsOf(stranger.store).find('a')).toBeNull();
    for (const store of [first, second]) await store.close();
    const third = await open(folder);
    onTestFinished(() => third.close());
    expect(await sessionsOf(third).find('a')).toMatchObject({ key_id });
  });
});
