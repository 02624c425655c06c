import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProjectRef } from '../../src/core/ports/index.ts';
import { schemaSteps, schemaVersion } from '../../src/storage/migrations/steps.ts';
import { createPostgresPool } from '../../src/storage/postgres/connection/pool.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { databaseOf, inDatabase, isPostgres } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { catalogOf } from './catalog.ts';
import { addWeight } from './example-step.ts';
import { makeChange, makeMemory, now } from './memory.ts';
import { firstPage, insert, makeFolder, open, select } from './support.ts';

const openSqlite = await loadSqlite();

const count = 300;
const next = schemaVersion + 1;
const upgraded = [['info', 'store upgraded', { from: schemaVersion, to: next }]];
const refusal = `schema ${next}; this one has schema ${schemaVersion}`;

describe('a step to the next schema', () => {
  it('is taken once by two programs at once, while others read', async () => {
    const { folder, project } = await makeFilledStore();
    const [before, tables] = [await contentOf(folder), await catalogOf(folder)];
    const reader = await startReader(folder, project);
    const log = vi.fn();
    const options = { log, steps: [...schemaSteps, addWeight] };

    const stores = await Promise.all([open(folder, options), open(folder, options)]);
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    const { reads, failures } = await reader.stop();
    await (await open(folder, options)).close();

    expect(failures).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    expect(log.mock.calls.filter(([, message]) => message === upgraded[0]?.[1])).toEqual(upgraded);
    expect(await contentOf(folder)).toEqual(before);
    expect(await weightsOf(folder)).toEqual({ weighted: count });
    const added = (await catalogOf(folder)).filter((line) => !tables.includes(line));
    expect(added).toEqual([expect.stringContaining('memories | weight |')]);
    for (const store of stores) {
      const { total } = await store.memories.list(project, select(), firstPage);
      expect(total).toBe(count);
      expect(await store.history.list(project, 'm7')).toMatchObject([{ new_memory: 'tea 7' }]);
    }
  });

  it('that fails leaves the store as it was, and may be taken later', async () => {
    const { folder } = await makeFilledStore();
    const [before, tables] = [await contentOf(folder), await catalogOf(folder)];
    const fail = async () => {
      throw new Error('no third schema');
    };

    const opening = open(folder, { steps: [...schemaSteps, addWeight, fail] });

    await expect(opening).rejects.toThrow('no third schema');
    expect([await contentOf(folder), await catalogOf(folder)]).toEqual([before, tables]);
    await (await open(folder)).close();
    await (await open(folder, { steps: [...schemaSteps, addWeight] })).close();
    expect(await weightsOf(folder)).toEqual({ weighted: count });
  });

  it('is followed by the next one, without being repeated', async () => {
    const { folder } = await makeFilledStore();
    const log = vi.fn();
    const lower = async (db: Parameters<typeof addWeight>[0]) => {
      await sql`update memories set weight = weight - 2 * position`.execute(db);
    };

    await (await open(folder, { steps: [...schemaSteps, addWeight] })).close();
    await (await open(folder, { log, steps: [...schemaSteps, addWeight, lower] })).close();

    expect(log.mock.calls).toContainEqual(['info', 'store upgraded', { from: next, to: next + 1 }]);
    expect(await weightsOf(folder)).toEqual({ weighted: 0 });
  });

  it('makes the store unreadable for a program without it, which changes nothing', async () => {
    const { folder } = await makeFilledStore();
    await (await open(folder, { steps: [...schemaSteps, addWeight] })).close();
    const before = await contentOf(folder);

    await expect(open(folder)).rejects.toThrow(refusal);

    expect(await contentOf(folder)).toEqual(before);
    expect(await weightsOf(folder)).toEqual({ weighted: count });
  });

  it('is not taken by a new store, which has the newest schema at once', async () => {
    const folder = await makeFolder();
    const step = vi.fn(async () => {});
    if (isPostgres) {
      await databaseOf(folder); // with the roles, which belong to the server
      await inDatabase(folder, (client) => client.query('drop schema mneme cascade'));
    }

    for (let opened = 0; opened < 2; opened += 1) {
      await (await open(folder, { steps: [...schemaSteps, step] })).close();
    }

    expect(step).not.toHaveBeenCalled();
    await expect(open(folder)).rejects.toThrow(refusal);
  });
});

/** A store of today's schema with memories, their words and the history of one. */
async function makeFilledStore(): Promise<{ folder: string; project: ProjectRef }> {
  const folder = await makeFolder();
  const store = await open(folder);
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const memories = numbers.map((number) =>
    makeMemory({ id: `m${number}`, memory: `tea ${number}` }),
  );
  await insert(store, project, ...memories);
  await store.transaction((tx) =>
    tx.history.insert(project, [makeChange({ memory_id: 'm7', new_memory: 'tea 7' })]),
  );
  await store.close();
  return { folder, project };
}

/** What is asked while the store is upgraded: all memories, the history of one, and a word. */
function questionsAbout(project_key: number): string[] {
  return [
    `select memory from memories where project_key = ${project_key} and user_id = 'ann'`,
    `select new_memory from history where project_key = ${project_key} and memory_id = 'm7'`,
    isPostgres
      ? `select array_length(positions, 1) as found from find_positions(array['tea'], 1000)`
      : `select count(*) as found from memory_fts where memory_fts match 'tea'`,
  ];
}

/** Every row of some tables, in columns that both schemas have. */
function contentOf(folder: string): Promise<unknown[]> {
  const columns = 'project_key, id, user_id, created_at, updated_at';
  return ask(folder, [
    `select ${columns}, position, memory, hash, terms from memories order by position`,
    `select ${columns}, memory_id, event, new_memory from history order by id`,
    'select project_key, type, id, total_memories from entities',
    `select key, value from meta where key = 'secret'`,
  ]);
}

/** How many memories the step gave a weight. */
async function weightsOf(folder: string): Promise<unknown> {
  const counted = await ask(folder, [
    'select cast(count(*) as integer) as weighted from memories where weight = 2 * position',
  ]);
  return counted.flat()[0];
}

async function ask(folder: string, statements: readonly string[]): Promise<unknown[]> {
  if (!isPostgres) {
    const sqlite = openSqlite(storePath(folder), { readOnly: true });
    try {
      return statements.map((statement) => sqlite.prepare(statement).all());
    } finally {
      sqlite.close();
    }
  }
  return inDatabase(folder, async (client) => {
    await client.query('set search_path to mneme');
    const answers: unknown[] = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows);
    return answers;
  });
}

type Outcome = { reads: number; failures: string[] };

/** Asks all questions about a project, over and over, in one transaction each time. */
function startReader(folder: string, { key }: ProjectRef): Promise<{ stop(): Promise<Outcome> }> {
  return isPostgres ? readDatabase(folder, key) : readFile(folder, key);
}

/** So many that at any moment one of them is in a transaction, unless something blocks them. */
const readersCount = 8;

async function readDatabase(folder: string, project_key: number) {
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('there is a server');
  const postgres = createPostgresPool({ ...database, busy_timeout_ms: 2_000, log: () => {} });
  const outcome: Outcome = { reads: 0, failures: [] };
  let isOver = false;
  const readOn = async () => {
    while (!isOver) {
      try {
        const found = await postgres.read(project_key, async ({ db }) => {
          const counts: number[] = [];
          for (const question of questionsAbout(project_key)) {
            counts.push((await sql.raw(question).execute(db)).rows.length);
          }
          return counts.join();
        });
        if (found !== `${count},1,1`) outcome.failures.push(found);
        outcome.reads += 1;
      } catch (error) {
        outcome.failures.push(String(error));
      }
    }
  };
  const reading = Promise.all(Array.from({ length: readersCount }, readOn));
  await eventually(() => expect(outcome.reads + outcome.failures.length).toBeGreaterThan(0));
  outcome.reads = 0;
  return {
    stop: async () => {
      isOver = true;
      await reading;
      await postgres.end();
      return outcome;
    },
  };
}

/** In a thread of its own: here it would have no turn while tables are changed. */
async function readFile(folder: string, project_key: number) {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const questions = questionsAbout(project_key);
  const workerData = { state, questions, count, path: storePath(folder) };
  const worker = new Worker(readerProgram, { eval: true, workerData });
  const ended = new Promise<string[]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  const hasRead = eventually(() => expect(Atomics.load(state, 1)).toBeGreaterThan(0));
  await Promise.race([hasRead, ended]);
  const before = Atomics.load(state, 1);
  return {
    stop: async (): Promise<Outcome> => {
      Atomics.store(state, 0, 1);
      const failures = await ended;
      await worker.terminate();
      return { reads: Atomics.load(state, 1) - before, failures };
    },
  };
}

const readerProgram = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { state, questions, count, path } = workerData;
  const load = () => {
    try { return require('@photostructure/sqlite'); } catch { return require('node:sqlite'); }
  };
  const { DatabaseSync } = load();
  const sqlite = new DatabaseSync(path, { timeout: 2000 });
  const failures = [];
  while (Atomics.load(state, 0) === 0) {
    try {
      sqlite.exec('begin');
      const [memories, history, [word]] = questions.map((question) =>
        sqlite.prepare(question).all(),
      );
      const found = [memories.length, history.length, word.found].join();
      if (found !== [count, 1, count].join()) failures.push(found);
      Atomics.add(state, 1, 1);
    } catch (error) {
      failures.push(String(error));
    } finally {
      sqlite.exec('commit');
    }
  }
  sqlite.close();
  parentPort.postMessage(failures);
`;
