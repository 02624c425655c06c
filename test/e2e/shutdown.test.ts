import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkIntegrity } from '../../src/storage/store.ts';
import {
  callOverWire,
  integrityOf,
  makeFolder,
  query,
  shakeHands,
  startWire,
  type Wire,
} from './support.ts';

describe('the server ends with exit code 0', () => {
  it('at the end of its input, before anything was said', async () => {
    const wire = startWire({ data_dir: await makeFolder() });

    wire.end();

    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect([...wire.lines, wire.stderr()]).toEqual(['']);
  });

  it('at the end of its input, after work', async () => {
    const { wire } = await startUsed();

    wire.end();

    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(wire.stderr()).toBe('');
  });

  it('when its client is gone and nobody reads its responses', async () => {
    const { wire } = await startUsed();

    wire.abandon();

    expect(await wire.exited).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('on %s', async (signal) => {
    const { wire, data_dir } = await startUsed();

    wire.kill(signal);

    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  });

  it('on SIGTERM while the store is still being opened', async () => {
    const data_dir = await makeFolder();
    const wire = startWire({ data_dir });

    await shakeHands(wire);
    const call = callOverWire(wire, 'add_memory', { text: 'Came too late' }).catch(() => null);
    wire.kill('SIGTERM');
    await call;

    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(await checkIntegrity({ data_dir })).toEqual([]);
  });

  it('on two signals at once', async () => {
    const { wire } = await startUsed();

    wire.kill('SIGINT');
    wire.kill('SIGTERM');

    expect((await wire.exited).code ?? 0).toBe(0);
  });

  it('and leaves no process and no write-ahead log behind', async () => {
    const { wire, data_dir } = await startUsed();
    const children = childrenOf(wire.pid);

    wire.end();
    await wire.exited;

    expect(children).toEqual([]);
    expect(() => process.kill(wire.pid, 0)).toThrow('ESRCH');
    expect(readdirSync(data_dir).filter((name) => name.startsWith('mneme.db'))).toEqual([
      'mneme.db',
    ]);
  });
});

describe('an add that is in flight', () => {
  it('when the input ends is completed and stored', async () => {
    const { wire, data_dir } = await startUsed();

    const answers = texts.map((text) => callOverWire(wire, 'add_memory', { text }));
    wire.end();
    const results = await Promise.all(answers);

    expect(await wire.exited).toEqual({ code: 0, signal: null });
    expect(results.map(({ structuredContent }) => structuredContent.status)).toEqual(
      texts.map(() => 'SUCCEEDED'),
    );
    expect(await storedTexts(data_dir)).toEqual([...texts].sort());
  });

  it('with facts to extract when the input ends is completed, and its facts are stored', async () => {
    const { wire, data_dir } = await startUsed();
    const messages = [{ role: 'user', content: 'I adopted a beagle called Pixel last week.' }];

    const answer = callOverWire(wire, 'add_memory', { messages });
    wire.end();
    const { structuredContent } = await answer;

    expect(structuredContent.status).toBe('SUCCEEDED');
    expect((await wire.exited).code).toBe(0);
    expect((await storedTexts(data_dir)).join()).toContain('Pixel');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'on %s is stored completely or not at all, and is stored if it was acknowledged',
    async (signal) => {
      const { wire, data_dir } = await startUsed();
      const acknowledged: string[] = [];
      const adds = texts.map(async (text) => {
        await callOverWire(wire, 'add_memory', { text });
        acknowledged.push(text);
      });

      await Promise.race(adds);
      wire.kill(signal);
      await Promise.allSettled(adds);
      await wire.exited;

      expect(await storedTexts(data_dir)).toEqual(expect.arrayContaining(acknowledged));
      expect(await halfStored(data_dir)).toEqual([]);
      expect(await integrityOf(data_dir)).toEqual(['ok']);
    },
  );
});

const texts = Array.from({ length: 60 }, (_, index) => `Fact number ${index}`);

async function startUsed(): Promise<{ wire: Wire; data_dir: string }> {
  const data_dir = await makeFolder();
  const wire = startWire({ data_dir });
  await shakeHands(wire);
  await callOverWire(wire, 'search_memories', { query: 'anything' });
  return { wire, data_dir };
}

async function storedTexts(data_dir: string): Promise<string[]> {
  const rows = await query<{ memory: string }>(data_dir, 'select memory from memories');
  return rows.map(({ memory }) => memory).sort();
}

/** Memories without the history entry or the index row that belongs to them, and the reverse. */
function halfStored(data_dir: string): Promise<unknown[]> {
  return query(
    data_dir,
    `select memories.id from memories
       left join history on history.memory_id = memories.id
       left join memory_fts on memory_fts.rowid = memories.position
       where history.id is null or memory_fts.rowid is null
     union all select memory_id from history
       where memory_id not in (select id from memories)`,
  );
}

/** Processes that the process has started and that still run. */
function childrenOf(pid: number): string[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean) : [];
}
