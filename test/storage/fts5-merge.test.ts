import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../../src/core/ports/index.ts';
import type { DatabaseEngine } from '../../src/storage/sql/dialect.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { mergeFts5Index } from '../../src/storage/sqlite/search/fts5-merge.ts';
import { readFts5Structure } from '../../src/storage/sqlite/search/fts5-structure.ts';
import { checkIntegrity, openStore, storePath } from '../../src/storage/store.ts';
import { mayMount, mountDisk } from '../e2e/disks.ts';
import { buildChild, type ChildProgram } from '../support/child-program.ts';
import { makeMemory, now } from './memory.ts';
import { makeFolder } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 10_000, log: () => {} } as const;
const count = 4000;
const hourMs = 60 * 60_000;
const never = { firstMs: hourMs, everyMs: hourMs };
const often = { firstMs: 1, everyMs: 20, least: 0 };

/** Words that many memories share, and some of its own for each. */
function memoryOf(number: number) {
  const shared = [7, 31, 97].map((step) => `w${step}x${number % step}`);
  const own = ['own', 'said', 'bread', 'tea', 'rain', 'bike', 'dog', 'cat', 'pie'].map(
    (word) => `${word}${number}`,
  );
  const memory = `all ${shared.join(' ')} ${own.join(' ')}`;
  return makeMemory({ id: `m${number}`, memory, hash: `m${number}` });
}

async function openIn(data_dir: string, upkeep: typeof never & { least?: number } = never) {
  const store = await openStore({ ...quiet, data_dir, upkeep });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  onTestFinished(() => store.close());
  return {
    close: store.close,
    add: (from: number, length: number) => {
      const memories = Array.from({ length }, (_, index) => memoryOf(from + index));
      return store.transaction((tx) => tx.memories.insert(project, memories));
    },
    delete: (from: number, length: number) => {
      const ids = Array.from({ length }, (_, index) => `m${from + index}`);
      return store.transaction((tx) => tx.memories.delete(project, ids));
    },
  };
}

/** A file of memories, of which so many adjacent ones are deleted. */
async function makeWorn(deleted = 250, prepare = (_: string) => {}): Promise<string> {
  const folder = await makeFolder();
  prepare(folder);
  const store = await openIn(folder);
  for (let from = 0; from < count; from += 2000) await store.add(from, 2000);
  // Each delete of many would else merge some of so small an index.
  await setAutomerge(folder, 0);
  await store.delete(700, deleted);
  await setAutomerge(folder, 4);
  await store.close();
  return folder;
}

/** How many segments FTS5 merges while it writes; 0 is for none. */
async function setAutomerge(folder: string, segments: number): Promise<void> {
  const { write, close } = await openEngine(folder);
  const set = sql`insert into memory_fts (memory_fts, rank) values ('automerge', ${segments})`;
  await write(({ db }) => set.execute(db));
  await close();
}

/** The file without what is around it in a store. */
async function openEngine(folder: string): Promise<DatabaseEngine> {
  const engine = await openSqlite({ ...quiet, path: storePath(folder), upkeep: never });
  onTestFinished(() => engine.close());
  return engine;
}

function structureOf({ reader }: DatabaseEngine) {
  return readFts5Structure(reader.db);
}

async function deletedIn(engine: DatabaseEngine): Promise<number> {
  const { segments } = await structureOf(engine);
  return segments.reduce((sum, { deleted }) => sum + deleted, 0);
}

const words = ['all', 'w7x3', 'w31x11', 'w97x50', 'own1', 'own800', 'own2900', 'tea3500'];

/** Words of which the index finds other memories than those that hold them. */
async function mistakesOf({ reader, dialect }: DatabaseEngine): Promise<string[]> {
  const rows = await reader.db.selectFrom('memories').select(['position', 'terms']).execute();
  const matches = words.map((word) => ({ scope: [], terms: [[word]] }));
  const found = await dialect.textIndex.search(reader, matches, 3 * count);
  return words.filter((word, at) => {
    const held = rows.filter(({ terms }) => terms.split(' ').includes(word));
    const wanted = held.map(({ position }) => position).toSorted((one, other) => one - other);
    const positions = (found[at] ?? []).toSorted((one, other) => one - other);
    return JSON.stringify(positions) !== JSON.stringify(wanted);
  });
}

/** Two looks at the clock are one step. */
function clockOf(steps: number, end: () => void): () => number {
  let looks = 0;
  return () => {
    looks += 1;
    if (looks === 2 * steps) end();
    return Date.parse(now);
  };
}

function options({ afterMs = 0, least = 0, signal = new AbortController().signal } = {}) {
  return { log: () => {}, least, signal, now: () => Date.parse(now) + afterMs };
}

async function rowsChanged(db: DatabaseEngine['reader']['db']): Promise<number> {
  const query = sql<{ changed: number }>`select total_changes() as changed`;
  return (await query.execute(db)).rows[0]?.changed ?? 0;
}

const fast = { interval: 1, timeout: 20_000 };

const probe = mkdtempSync(join(tmpdir(), 'mneme-storage-mount-'));
const mounts = mayMount(probe);
rmSync(probe, { recursive: true });

/** Takes what there is of space. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(64 * 1024));
  } catch {
    // The disk is full.
  }
}

describe('an index with many deleted memories', () => {
  it('is left to the background: a delete of most of them rewrites nothing', async () => {
    const folder = await makeFolder();
    const store = await openIn(folder);
    await store.add(0, 1000);
    const engine = await openEngine(folder);
    const names = async () => (await structureOf(engine)).segments.map(({ name }) => name);
    const before = await names();

    for (const from of [0, 300, 600]) await store.delete(from, 300);

    expect(await names()).toEqual(before);
    expect(await deletedIn(engine)).toBe(900);
    expect(await mistakesOf(engine)).toEqual([]);
  });

  it('is merged: nothing deleted is left in it, and it finds the same', async () => {
    const folder = await makeWorn();
    const engine = await openEngine(folder);
    const before = await deletedIn(engine);

    const outcome = await mergeFts5Index(engine, options());

    expect({ before, outcome }).toEqual({ before: 250, outcome: true });
    expect(await deletedIn(engine)).toBe(0);
    expect(await mistakesOf(engine)).toEqual([]);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });

  it('stays as it is if few are deleted, or few are in it', async () => {
    const few = await openEngine(await makeWorn(60));
    const small = await openEngine(await makeWorn());
    const before = [await structureOf(few), await structureOf(small)];

    const outcomes = [
      await mergeFts5Index(few, options()),
      await mergeFts5Index(small, options({ least: 20_000 })),
    ];

    expect(outcomes).toEqual([false, false]);
    expect([await structureOf(few), await structureOf(small)]).toEqual(before);
  });

  it('is not merged again until longer than the merge took', async () => {
    const folder = await makeWorn();
    const engine = await openEngine(folder);
    const store = await openIn(folder);
    await mergeFts5Index(engine, options());
    await store.delete(2000, 250);

    const atOnce = await mergeFts5Index(engine, options({ afterMs: 1 }));
    const later = await mergeFts5Index(engine, options({ afterMs: hourMs }));

    expect({ atOnce, later }).toEqual({ atOnce: false, later: true });
    expect(await deletedIn(engine)).toBe(0);
    expect(await mistakesOf(engine)).toEqual([]);
  });

  it('is merged in transactions of a few pages each', async () => {
    const engine = await openEngine(await makeWorn());
    const changes: number[] = [];
    const write: DatabaseEngine['write'] = (run) =>
      engine.write(async (session) => {
        const before = await rowsChanged(session.db);
        const result = await run(session);
        changes.push((await rowsChanged(session.db)) - before);
        return result;
      });

    await mergeFts5Index({ ...engine, write }, options());

    const all = changes.reduce((sum, one) => sum + one, 0);
    expect(changes.length).toBeGreaterThan(3);
    expect(Math.max(...changes)).toBeLessThan(all / 3);
  });
});

describe('a merge that is stopped', () => {
  it('ends after the current step; later, the next process continues it', async () => {
    const folder = await makeWorn();
    const first = await openEngine(folder);
    const stopping = new AbortController();
    const { signal } = stopping;
    const clock = clockOf(3, () => stopping.abort());

    const stopped = await mergeFts5Index(first, { ...options({ signal }), now: clock });
    const half = await structureOf(first);
    const mistakes = await mistakesOf(first);
    await first.close();
    const second = await openEngine(folder);
    const atOnce = await mergeFts5Index(second, options({ afterMs: 1000 }));
    const later = await mergeFts5Index(second, options({ afterMs: 11_000 }));

    expect({ stopped, atOnce, later }).toEqual({ stopped: false, atOnce: false, later: true });
    expect(half.isMerging).toBe(true);
    expect(mistakes).toEqual([]);
    expect(await deletedIn(second)).toBe(0);
    expect(await mistakesOf(second)).toEqual([]);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });

  it('by closing the store leaves a file in which everything is found', async () => {
    const folder = await makeWorn();
    const store = await openIn(folder, often);
    const engine = await openEngine(folder);
    await expect.poll(async () => (await structureOf(engine)).isMerging, fast).toBe(true);

    await store.close();

    expect((await structureOf(engine)).isMerging).toBe(true);
    expect(await mistakesOf(engine)).toEqual([]);
  });
});

describe('while memories come and go', () => {
  it('the index is merged completely, and finds everything', async () => {
    const folder = await makeWorn();
    const engine = await openEngine(folder);
    const store = await openIn(folder);
    let steps = 0;
    const write: DatabaseEngine['write'] = async (run) => {
      const result = await engine.write(run);
      steps += 1;
      await store.add(count + 3 * steps, 3);
      await store.delete(2000 + 2 * steps, 2);
      return result;
    };

    const outcome = await mergeFts5Index({ ...engine, write }, options());

    expect(outcome).toBe(true);
    expect(steps).toBeGreaterThan(1);
    expect(await deletedIn(engine)).toBeLessThanOrEqual(2 * steps);
    expect(await mistakesOf(engine)).toEqual([]);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });
});

if (!mounts) it.skip('a full disk: this machine lets tests mount none', () => {});

describe.runIf(mounts)('on a full disk', () => {
  it('the store says so and stays sound; it merges once there is space', async () => {
    const folder = await makeWorn(250, (disk) => mountDisk(disk, '32m'));
    const engine = await openEngine(folder);
    const ballast = join(folder, 'ballast');
    const said: string[] = [];
    const log: Logger = (level, _, details) => {
      said.push(`${level} ${JSON.stringify(details)}`);
    };
    fill(ballast);
    const store = await openStore({ ...quiet, log, data_dir: folder, upkeep: often });
    onTestFinished(() => store.close());
    await expect.poll(() => said.length, fast).toBeGreaterThan(2);
    const mistakes = await mistakesOf(engine);

    rmSync(ballast);
    await expect.poll(() => deletedIn(engine), fast).toBe(0);

    expect(said[0]).toMatch(/^warn .*no disk space left; free some/);
    expect(mistakes).toEqual([]);
    expect(await mistakesOf(engine)).toEqual([]);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });
});

describe('several processes', () => {
  let program: ChildProgram;

  beforeAll(async () => {
    program = await buildChild(new URL('./child.ts', import.meta.url));
  });

  afterAll(() => program.remove());

  function start(folder: string): ChildProcess {
    const child = spawn(process.execPath, [program.path, 'keep', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  it('on one file: one of them merges', async () => {
    const folder = await makeWorn();
    const engines = [await openEngine(folder), await openEngine(folder), await openEngine(folder)];

    const outcomes = await Promise.all(engines.map((engine) => mergeFts5Index(engine, options())));

    expect(outcomes.toSorted()).toEqual([false, false, true]);
    const [one] = engines;
    if (one === undefined) throw new Error('three were opened');
    expect(await deletedIn(one)).toBe(0);
    expect(await mistakesOf(one)).toEqual([]);
  });

  it('two stores at once, each with its clock, leave an index that is merged', async () => {
    const folder = await makeWorn();
    const children = [start(folder), start(folder)];
    const engine = await openEngine(folder);

    await expect.poll(() => deletedIn(engine), { timeout: 20_000 }).toBe(0);
    const mistakes = await mistakesOf(engine);
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map((child) => once(child, 'exit')));

    expect(mistakes).toEqual([]);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });

  it('killed during it again and again lose nothing; the next one completes it', async () => {
    const folder = await makeWorn();
    const engine = await openEngine(folder);
    const mistakes: string[] = [];
    let amid = 0;
    for (let round = 0; round < 5 && (await deletedIn(engine)) > 0; round += 1) {
      const { state } = await structureOf(engine);
      const child = start(folder);
      const isAtIt = async () => (await structureOf(engine)).state !== state;
      await expect.poll(isAtIt, fast).toBe(true);
      child.kill('SIGKILL');
      await once(child, 'exit');
      if ((await structureOf(engine)).isMerging) amid += 1;
      mistakes.push(...(await mistakesOf(engine)));
      await forgetLease(engine);
    }

    await mergeFts5Index(engine, options());

    expect(amid).toBeGreaterThan(0);
    expect(mistakes).toEqual([]);
    expect(await deletedIn(engine)).toBe(0);
    expect(await mistakesOf(engine)).toEqual([]);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });
});

/** As if the ten seconds had passed for which others leave the merge to its owner. */
async function forgetLease({ write }: DatabaseEngine): Promise<void> {
  await write(({ db }) => db.deleteFrom('meta').where('key', '=', 'fts_merge_lease').execute());
}
