import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Store } from '../../src/core/ports/index.ts';
import { storePath } from '../../src/storage/store.ts';
import { now } from './memory.ts';
import { makeFolder, open } from './support.ts';

const write = (store: Store) => store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
const refusal = expect.objectContaining({
  code: 'unavailable',
  message: expect.stringMatching(/mneme\.db .*removed.*restart/),
});

describe("a store's file under a running server", () => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    folder = await makeFolder();
    store = await open(folder);
    vi.advanceTimersByTime(1_000);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
  });

  it.each([
    ['the file', () => rmSync(storePath(folder))],
    ['the folder', () => rmSync(folder, { recursive: true })],
  ])('refuses writes after %s is removed, and creates nothing', async (_, remove) => {
    expect(await store.ping()).toBe('ready');
    remove();

    await expect(write(store)).rejects.toEqual(refusal);
    await expect(write(store)).rejects.toEqual(refusal);
    expect(await store.ping()).toBe('replaced');
    expect(existsSync(storePath(folder))).toBe(false);
  });

  it('refuses writes after it was replaced, and does not change the other file', async () => {
    const backup = `${folder}.backup`;
    onTestFinished(() => rmSync(backup));
    await store.backup(backup);
    copyFileSync(backup, `${storePath(folder)}.new`);
    renameSync(`${storePath(folder)}.new`, storePath(folder));

    await expect(write(store)).rejects.toEqual(refusal);
    expect(await store.ping()).toBe('replaced');
    await store.close();
    expect(readFileSync(storePath(folder)).equals(readFileSync(backup))).toBe(true);
  });

  it('accepts writes again when it is put back', async () => {
    renameSync(folder, `${folder}.aside`);
    await expect(write(store)).rejects.toEqual(refusal);
    renameSync(`${folder}.aside`, folder);

    expect(await write(store)).toMatchObject({ project_id: 'own' });
    expect(await store.ping()).toBe('ready');
  });

  it('is checked before a write, but not more often than once a second', async () => {
    await write(store);
    rmSync(storePath(folder));
    const other = { org_id: 'acme', project_id: 'within the second' };
    await store.ensureProject(other, now);
    vi.advanceTimersByTime(1_000);

    const late = { org_id: 'acme', project_id: 'late' };
    await expect(store.ensureProject(late, now)).rejects.toEqual(refusal);
  });

  it('can be opened again in addition', async () => {
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const next = await open(folder);
    onTestFinished(() => next.close());

    expect(await write(next)).toMatchObject({ project_id: 'own' });
    await expect(write(store)).rejects.toEqual(refusal);
    expect(await next.ping()).toBe('ready');
  });
});
