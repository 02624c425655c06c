import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemory, type EmbeddedMemory, type MemoryOptions } from '../../src/index.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { allOf } from './support.ts';

let data_dir: string;
const opened: EmbeddedMemory[] = [];

beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'mneme-embedded-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const memory of opened.splice(0)) await memory.close();
  rmSync(data_dir, { recursive: true, force: true });
});

function open(options: MemoryOptions = {}): EmbeddedMemory {
  const memory = createMemory({ data_dir, ...options });
  opened.push(memory);
  return memory;
}

/** Keeps everybody else from writing to a store until it is released. */
async function lock(path: string): Promise<() => void> {
  const openSqlite = await loadSqlite();
  const sqlite = openSqlite(path);
  sqlite.exec('BEGIN IMMEDIATE');
  return () => sqlite.close();
}

describe('an embedded memory', () => {
  it('stores and finds without a server', async () => {
    const memory = open();

    await memory.addMemory({ text: 'I am allergic to hazelnuts', user_id: 'ada' });
    const { results } = await memory.searchMemories({ query: 'allergic', user_id: 'ada' });

    expect(results).toMatchObject([{ memory: 'I am allergic to hazelnuts', user_id: 'ada' }]);
  });

  it('answers messages with a pending event, and works on it inside', async () => {
    const memory = open();
    const messages = [{ role: 'user', content: 'My cat is called Biscuit.' }];

    const { status, event_id } = await memory.addMemory({ messages, user_id: 'ada' });
    const event = await memory.waitForEvent(event_id);

    expect(status).toBe('PENDING');
    expect(event).toMatchObject({ status: 'SUCCEEDED', results: [{ event: 'ADD' }] });
  });

  it('lists page after page', async () => {
    const memory = open({ user_id: 'ada' });
    for (const text of ['one fish', 'two fish', 'red fish']) await memory.addMemory({ text });

    const all = await allOf(memory.getMemories({ page_size: 2 }));

    expect(all.map((one) => one.memory)).toEqual(['red fish', 'two fish', 'one fish']);
  });

  it('finds again what was stored before it was closed', async () => {
    await open().addMemory({ text: 'I live in Porto', user_id: 'ada' });
    await opened.pop()?.close();

    const { total } = await open().getMemories({ user_id: 'ada' });

    expect(total).toBe(1);
  });

  it('shares its folder with others in the process, and keeps apart from other folders', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'mneme-embedded-'));
    const [one, two, other] = [open(), open(), open({ data_dir: elsewhere })];

    await Promise.all(
      [one, two].map((memory, index) =>
        memory.addMemory({ text: `fact ${index}`, user_id: 'ada' }),
      ),
    );

    expect((await one.getMemories()).total).toBe(2);
    expect((await two.getMemories()).total).toBe(2);
    expect((await other.getMemories()).total).toBe(0);
    await other.close();
    rmSync(elsewhere, { recursive: true });
  });

  it('ends a call that was cancelled before it began', async () => {
    const signal = AbortSignal.abort(new Error('too late'));

    await expect(open().ping({}, { signal })).rejects.toThrow('too late');
  });

  it('refuses as the API does: with a code, a message and the fields', async () => {
    const memory = open();

    await expect(memory.getMemory({ memory_id: 'x' })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'invalid',
      fields: { memory_id: ['memory_id should be a valid UUID'] },
    });
  });
});

describe('its scope', () => {
  it('fills in the ids that a call does not name', async () => {
    const memory = open({ user_id: 'ada', run_id: 'monday' });
    await memory.addMemory({ text: 'tea' });
    await memory.addMemory({ text: 'coffee', user_id: 'grace' });

    const own = await memory.searchMemories({ query: 'tea coffee' });
    const others = await memory.searchMemories({ query: 'tea coffee', user_id: 'grace' });
    const all = await memory.searchMemories({ query: 'tea coffee', filters: { user_id: '*' } });

    expect(own.results).toMatchObject([{ memory: 'tea', user_id: 'ada', run_id: 'monday' }]);
    expect(others.results).toMatchObject([{ memory: 'coffee', run_id: 'monday' }]);
    expect(all.results).toHaveLength(2);
  });

  it('is no default for what deletes in bulk', async () => {
    const memory = open({ user_id: 'ada' });
    await memory.addMemory({ text: 'tea' });

    await expect(memory.deleteAllMemories({})).rejects.toMatchObject({ code: 'invalid' });
    expect(await memory.deleteAllMemories({ user_id: 'ada' })).toMatchObject({ deleted: 1 });
  });

  it('is nothing by default: an add has to say whose memory it is', async () => {
    await expect(open().addMemory({ text: 'tea' })).rejects.toMatchObject({
      code: 'invalid',
      fields: { user_id: [expect.stringContaining('at least one of user_id')] },
    });
  });

  it('makes the project that it names', async () => {
    const memory = open({ project_id: 'garden', user_id: 'ada' });

    expect(await memory.ping()).toMatchObject({ project_id: 'garden' });
  });
});

describe('its options', () => {
  it.each([
    [{ dataDir: 'x' }, 'dataDir: is not an option. Did you mean "data_dir"?'],
    [{ port: 1 }, 'port: is not an option.'],
    [{ data_dir: 7 }, 'data_dir: 7 is not a path'],
    [{ lease_ms: 1 }, 'lease_ms: 1 is not a whole number from 1000 to 3600000'],
    [{ user_id: '*' }, 'user_id: "*" means any; name one id'],
    [{ log: 'info' }, 'log: must be a function'],
  ])('are checked at once: %j', (options, problem) => {
    expect(() => createMemory(options as MemoryOptions)).toThrow(problem);
  });

  it('come from the program alone: neither from files nor from variables', async () => {
    vi.stubEnv('MNEME_USER_ID', 'mallory');
    vi.stubEnv('MNEME_NO_SUCH_OPTION', '1');
    writeFileSync(join(data_dir, 'mneme.config.json'), '{ broken');

    await expect(open().addMemory({ text: 'tea' })).rejects.toThrow('user_id');
    expect(readdirSync(data_dir)).toContain('mneme.db');
  });

  it('decide who hears of trouble in the background; by default nobody does', async () => {
    const stderr = vi.spyOn(process.stderr, 'write');
    const log = vi.fn<NonNullable<MemoryOptions['log']>>();
    const [silent, told] = [open(), open({ log })];
    await Promise.all([
      silent.searchMemories({ query: 'tea' }),
      told.searchMemories({ query: 'tea' }),
    ]);

    const release = await lock(join(data_dir, 'mneme.db'));
    const closing = Promise.all([silent.close(), told.close()]);
    await vi.waitFor(
      () =>
        expect(log).toHaveBeenCalledWith(
          'warn',
          'read events could not be recorded',
          expect.anything(),
        ),
      { timeout: 25_000 },
    );
    release();
    await closing;

    expect(stderr).not.toHaveBeenCalled();
    stderr.mockRestore();
  }, 30_000);
});

describe('its end', () => {
  it('lets calls in progress end, and refuses those after it', async () => {
    const memory = open();
    const adding = memory.addMemory({ text: 'the last words', user_id: 'ada' });

    await memory.close();

    expect((await adding).status).toBe('SUCCEEDED');
    await expect(memory.ping()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('closed'),
    });
    await expect(memory.waitForEvent('e1')).rejects.toThrow('closed');
  });

  it('may come twice, and before the first call', async () => {
    const memory = open();

    await memory.close();
    await expect(memory.close()).resolves.toBeUndefined();
  });

  it('comes with the end of a block', async () => {
    const memory = open();

    await memory[Symbol.asyncDispose]();

    await expect(memory.ping()).rejects.toThrow('closed');
  });
});
