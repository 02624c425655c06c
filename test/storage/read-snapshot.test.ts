import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/core/ports/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { makeMemory, now } from './memory.ts';
import { insert, makeFolder, open } from './support.ts';

const openSqlite = await loadSqlite();

/** A store that holds memory `m1`, and the same file in the hands of somebody else. */
async function makeShared() {
  const folder = await makeFolder();
  const store = await open(folder);
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await insert(store, project, makeMemory({ id: 'm1', memory: 'before' }));
  const elsewhere = openSqlite(storePath(folder));
  onTestFinished(async () => {
    elsewhere.close();
    await store.close();
  });
  const find = async () => (await store.memories.find(project, 'm1'))?.memory;
  return { store, project, find, change: () => elsewhere.exec(changed) };
}

const changed = "update memories set memory = 'after' where id = 'm1'";

async function both(store: Store, find: () => Promise<string | undefined>) {
  return [await store.version(), await find()] as const;
}

describe('what another process commits', () => {
  it('is seen by reads in the next turn of the event loop', async () => {
    const { store, find, change } = await makeShared();
    const [before, text] = await both(store, find);

    change();
    await turnOfOthers();
    const [after, changedText] = await both(store, find);

    expect([text, changedText]).toEqual(['before', 'after']);
    expect(after).not.toBe(before);
  });

  it('is seen completely or not at all by reads of one turn', async () => {
    const { store, find, change } = await makeShared();
    await turnOfOthers();
    const [before, text] = await both(store, find);

    change();
    const [after, sameText] = await both(store, find);

    expect([after, sameText]).toEqual([before, text]);
  });

  it('is seen by a tick that follows a read, like a request that arrives', async () => {
    const { find, change } = await makeShared();
    await find();

    const text = await new Promise((resolve) => {
      process.nextTick(() => {
        change();
        resolve(find());
      });
    });

    expect(text).toBe('after');
  });
});

it('callers read what they wrote', async () => {
  const { store, project, find } = await makeShared();

  const [, after] = await Promise.all([
    find(),
    store
      .transaction((tx) => tx.memories.update(project, 'm1', { memory: 'mine', updated_at: now }))
      .then(() => find()),
  ]);

  expect(after).toBe('mine');
});
