import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bm25 } from '../../src/core/bm25.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { isPostgres } from '../support/database.ts';
import { createDeferred } from '../support/deferred.ts';
import { makeChange, makeEvent, makeMemory, now } from './memory.ts';
import {
  firstPage,
  idsOf,
  insert,
  makeFolder,
  makeStore,
  ofUser,
  open,
  select,
} from './support.ts';

describe('a transaction', () => {
  it('that throws leaves nothing behind and rethrows the error', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'kept' }));
    const problem = new Error('changed my mind');

    const failing = store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory({ id: 'm1', run_id: 'r1' })]);
      await tx.memories.delete(project, ['kept']);
      await tx.history.insert(project, [makeChange()]);
      await tx.events.insert(project, makeEvent());
      throw problem;
    });

    await expect(failing).rejects.toBe(problem);
    expect(idsOf((await store.memories.list(project, select(), firstPage)).results)).toEqual([
      'kept',
    ]);
    expect(await store.history.list(project, 'm1')).toEqual([]);
    expect((await store.events.list(project, firstPage)).total).toBe(0);
    expect(await store.entities.find(project, 'run', 'r1')).toBeNull();
    expect(await store.memories.size(project, {})).toBe(1);
    const query = { terms: [['tea']], bm25, limit: 10 };
    const found = await store.memories.listCandidates(project, select(ofUser('ann')), query);
    expect(idsOf(found)).toEqual(['kept']);
  });

  it('whose statement fails is rolled back, and the next one works', async () => {
    const { store, project } = await makeStore();
    const twins = [makeMemory({ id: 'm1' }), makeMemory({ id: 'm1' })];

    await expect(insert(store, project, ...twins)).rejects.toThrow();
    await insert(store, project, makeMemory({ id: 'm1' }));

    expect(await store.memories.size(project, {})).toBe(1);
  });

  it('with many statements lets others have their turn', async () => {
    const { store, project } = await makeStore();
    const ids = Array.from({ length: 3000 }, (_, at) => `m${at}`);
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);

    const during = await store.transaction(async (tx) => {
      await tx.history.insert(project, [makeChange({ id: 'first' })]); // may wait for a connection
      const begun = turns;
      for (const id of ids) await tx.history.insert(project, [makeChange({ id })]);
      return turns - begun;
    });
    clearInterval(others);

    expect(during).toBeGreaterThan(2);
  });

  it.skipIf(isPostgres)('with many statements stays closed to others', async () => {
    const { store, project } = await makeStore();
    const seen: number[] = [];
    const within: number[] = [];
    let later: Promise<number> | undefined;
    const others = setInterval(() => {
      void store.memories.size(project, {}).then((size) => seen.push(size));
      later ??= store.transaction(async (tx) => {
        await tx.memories.insert(project, [makeMemory({ id: 'other' })]);
        return tx.memories.size(project, {});
      });
    }, 0);

    await store.transaction(async (tx) => {
      for (let at = 0; at < 500; at += 1) {
        await tx.memories.insert(project, [makeMemory({ id: `m${at}`, hash: `${at}` })]);
        within.push(await tx.memories.size(project, {}));
      }
      expect(new Set(seen)).toEqual(new Set([0]));
    });
    clearInterval(others);

    expect(within).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
    expect(await later).toBe(501);
  });

  it.skipIf(isPostgres)('that SQLite itself rolls back leaves nothing', async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    onTestFinished(() => store.close());
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    await insert(store, project, makeMemory({ id: 'kept' }));
    // As a disk does that can't be written any more.
    const elsewhere = (await loadSqlite())(storePath(folder));
    elsewhere.exec(`create trigger broken before insert on memories when new.id = 'lost'
      begin select raise(rollback, 'the disk is gone'); end`);
    elsewhere.close();

    const failing = insert(store, project, makeMemory({ id: 'lost' }), makeMemory({ id: 'm2' }));

    await expect(failing).rejects.toThrow();
    expect(await store.memories.size(project, {})).toBe(1);
    expect(await store.memories.size(project, { user_id: 'ann' })).toBe(1);
    expect(await store.entities.list(project, { page: 1, page_size: 10 })).toMatchObject({
      totals: { user: 1 },
      results: [{ id: 'ann', total_memories: 1 }],
    });
  });

  it('sees its own writes, others only after the commit', async () => {
    const { store, project } = await makeStore();

    await store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory({ id: 'm1' })]);
      expect(await tx.memories.find(project, 'm1')).not.toBeNull();
      expect(await store.memories.find(project, 'm1')).toBeNull();
    });

    expect(await store.memories.find(project, 'm1')).not.toBeNull();
  });

  it.skipIf(isPostgres)('waits for the one before it', async () => {
    const { store, project } = await makeStore();
    const steps: string[] = [];
    const work = (name: string) =>
      store.transaction(async (tx) => {
        steps.push(`${name} begins`);
        await tx.memories.insert(project, [makeMemory()]);
        await turnOfOthers();
        steps.push(`${name} ends`);
      });

    await Promise.all([work('first'), work('second')]);

    expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  });

  it('refuses to begin inside another, instead of waiting for itself', async () => {
    const { store } = await makeStore();

    const nested = store.transaction(() => store.transaction(async () => 1));

    await expect(nested).rejects.toThrow('inside another');
    expect(await store.transaction(async () => 2)).toBe(2);
  });

  it('may begin in work that an earlier one started', async () => {
    const { store } = await makeStore();
    const ended = createDeferred();
    let promised: Promise<number> | undefined;

    await store.transaction(async () => {
      promised = ended.promise.then(() => store.transaction(async () => 3));
    });
    ended.resolve();

    expect(await promised).toBe(3);
  });

  it('cannot be used after it has ended', async () => {
    const { store, project } = await makeStore();
    const tables = await store.transaction(async (tx) => tx);

    await expect(tables.memories.insert(project, [makeMemory()])).rejects.toThrow('ended');
  });
});

it('a write outside of a transaction is refused', async () => {
  const { store, project } = await makeStore();

  await expect(store.memories.insert(project, [makeMemory()])).rejects.toThrow('transaction');
  await expect(store.memories.delete(project, ['m1'])).rejects.toThrow('transaction');
  await expect(store.events.insert(project, makeEvent())).rejects.toThrow('transaction');
});

it('close waits for what is running and refuses what comes after', async () => {
  const { store, project } = await makeStore();

  const running = insert(store, project, makeMemory());
  const closing = store.close();
  const late = insert(store, project, makeMemory());
  late.catch(() => {}); // It may be refused before what runs is done.

  await expect(running).resolves.toBeUndefined();
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  await closing;
  await expect(store.memories.find(project, 'm1')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.close()).resolves.toBeUndefined();
});
