import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { bm25 } from '../../src/core/bm25.ts';
import { checkIntegrity } from '../../src/storage/store.ts';
import { makeMemory, now } from './memory.ts';
import { everything, insert, makeFolder, makeStore, open, select } from './support.ts';

/** A folder for a store's file, which has its name already. */
async function makeTarget() {
  const folder = await makeFolder();
  return { folder, file: join(folder, 'mneme.db') };
}

describe('a backup', () => {
  it('is a store with all that was there', async () => {
    const { store, project } = await makeStore();
    const { folder, file } = await makeTarget();
    await insert(store, project, makeMemory({ id: 'm1' }));

    await store.backup(file);
    await insert(store, project, makeMemory({ id: 'm2' }));

    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
    const copy = await open(folder);
    expect(await copy.secret()).toBe(await store.secret());
    expect(await copy.memories.find(project, 'm1')).toEqual(
      await store.memories.find(project, 'm1'),
    );
    expect(await copy.memories.find(project, 'm2')).toBeNull();
    const query = { terms: [['tea']], bm25, limit: 5 };
    expect(await copy.memories.listCandidates(project, select(everything), query)).toHaveLength(1);
    await copy.close();
  });

  it('is one file that only its owner can read', async () => {
    const { store } = await makeStore();
    const { folder, file } = await makeTarget();

    await store.backup(file);

    expect(readdirSync(folder)).toEqual(['mneme.db']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is complete while others write, and does not block them', async () => {
    const { store, project } = await makeStore();
    const { folder, file } = await makeTarget();
    const memories = Array.from({ length: 3000 }, () => makeMemory({ memory: 'tea '.repeat(99) }));
    await insert(store, project, ...memories);

    let isDone = false;
    const backup = store.backup(file).finally(() => {
      isDone = true;
    });
    let written = 0;
    for (; !isDone; written += 2) {
      await insert(store, project, makeMemory(), makeMemory());
      await setImmediate();
    }
    await backup;

    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
    const copy = await open(folder);
    const size = await copy.memories.size(project, {});
    expect(size).toBeGreaterThanOrEqual(3000);
    expect(size).toBeLessThanOrEqual(3000 + written);
    expect(size % 2).toBe(0);
    expect(written).toBeGreaterThan(0);
    await copy.close();
  });

  it('refuses a file that exists and leaves it alone', async () => {
    const { store } = await makeStore();
    const { file } = await makeTarget();
    writeFileSync(file, 'precious');

    await expect(store.backup(file)).rejects.toMatchObject({ code: 'conflict' });

    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('is written by only one of two calls with the same file', async () => {
    const { store } = await makeStore();
    const { folder, file } = await makeTarget();

    const attempts = await Promise.allSettled([store.backup(file), store.backup(file)]);

    expect(attempts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });

  it('says which file cannot be written, and leaves nothing behind', async () => {
    const { store } = await makeStore();
    const { folder, file } = await makeTarget();
    const missing = join(folder, 'missing', 'mneme.db');
    mkdirSync(`${file}.partial`);

    await expect(store.backup(missing)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(missing),
    });
    await expect(store.backup(file)).rejects.toMatchObject({ code: 'conflict' });

    expect(readdirSync(folder)).toEqual(['mneme.db.partial']);
  });
});

it('a store works until it is closed', async () => {
  const { store } = await makeStore();
  await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);

  expect(await store.ping()).toBe('ready');
  await store.close();
  expect(await store.ping()).toBe('away');
});
