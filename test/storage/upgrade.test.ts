import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { schemaVersion } from '../../src/storage/migrations/versions.ts';
import { createPostgresPool } from '../../src/storage/postgres/connection/pool.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { databaseOf, inDatabase, isPostgres } from '../support/database.ts';
import { now } from './memory.ts';
import { makeStoreOfSchema8 } from './schema-8.ts';
import { firstPage, makeFolder, open, select } from './support.ts';

const openSqlite = await loadSqlite();

const count = 300;

/** What programs of both versions ask: a user's memories, the history of one, and a word. */
const questions = [
  `select memory from memories where project_key = 1 and user_id = 'ann' order by created_at`,
  `select new_memory from history where project_key = 1 and memory_id = 'm7'`,
  isPostgres
    ? `select array_length(positions, 1) as found from find_positions(array['tea'], 1000)`
    : `select count(*) as found from INDEX where INDEX match 'tea'`,
];

/** What the full-text index of a file was called, and is called now. */
const indexNames = ['memory_index', 'memory_fts'];

describe('a store of the previous schema, while another program reads it', () => {
  it('is upgraded by two programs at once', async () => {
    const folder = await makeFolder();
    await makeFilledStore(folder);
    const before = await contentOf(folder);
    const reader = await startReader(folder);
    const log = vi.fn();

    const stores = await Promise.all([open(folder, { log }), open(folder, { log })]);
    onTestFinished(async () => {
      for (const store of stores) await store.close();
    });
    const { reads, failures } = await reader.stop();

    expect(failures).toEqual([]);
    expect(reads).toBeGreaterThan(0);
    const brought = log.mock.calls.filter(([, text]) => text === 'upgraded the store');
    expect(brought).toEqual([['info', expect.any(String), { from: 8, to: schemaVersion }]]);
    expect(await contentOf(folder)).toEqual(before);
    for (const store of stores) {
      const project = { key: 1, org_id: 'o', project_id: 'p' };
      const { total, results } = await store.memories.list(project, select(), firstPage);
      expect(total).toBe(count);
      expect(results[0]).toMatchObject({ user_id: 'ann', type: null, occurred_at: null });
      expect(await store.history.list(project, 'm7')).toMatchObject([{ new_memory: 'tea 7' }]);
      expect((await store.entities.list(project, firstPage)).totals).toMatchObject({ user: 1 });
    }
  });
});

/** A store of schema 8 with memories, their words and their history. */
async function makeFilledStore(folder: string): Promise<void> {
  await makeStoreOfSchema8(folder, [
    `insert into entities (project_key, type, id, name, metadata, total_memories, created_at,
      updated_at) values (1, 'user', 'ann', 'ann', '{}', ${count}, '${now}', '${now}')`,
    `update projects set total_memories = ${count} where key = 1`,
    `insert into entity_totals values (1, 'user', 1, ${count})`,
    ...Array.from({ length: count }, (_, index) => rowsOf(index + 1)).flat(),
  ]);
}

/** A memory: itself, its words and its history. */
function rowsOf(number: number): string[] {
  const word = isPostgres
    ? `memory_index (position, project_key, tokens)
        values (${number}, 1, array_to_tsvector(array['tea', 'number${number}']))`
    : `memory_index (rowid, scope, terms, speaker)
        values (${number}, 'p1', 'tea number${number}', '')`;
  return [
    `insert into memories (position, project_key, id, user_id, memory, hash, metadata, categories,
      immutable, created_at, updated_at, terms, speaker_terms)
      values (${number}, 1, 'm${number}', 'ann', 'tea ${number}', 'h${number}', '{}', '[]', 0,
        '${now}', '${now}', 'tea', '')`,
    `insert into ${word}`,
    `insert into history (project_key, id, memory_id, user_id, event, input, new_memory,
      categories, created_at, updated_at)
      values (1, 'h${number}', 'm${number}', 'ann', 'ADD', '[]', 'tea ${number}', '[]', '${now}',
        '${now}')`,
  ];
}

/** Every row of some tables, in columns that both versions have. */
async function contentOf(folder: string): Promise<unknown[]> {
  const columns = 'project_key, id, user_id, created_at, updated_at';
  const asked = [
    `select ${columns}, position, memory, hash, terms from memories order by position`,
    `select ${columns}, memory_id, event, new_memory from history order by id`,
    `select project_key, type, id, total_memories from entities`,
    `select key, value from meta where key = 'secret'`,
  ];
  if (!isPostgres) {
    const sqlite = openSqlite(storePath(folder), { readOnly: true });
    try {
      return asked.map((statement) => sqlite.prepare(statement).all());
    } finally {
      sqlite.close();
    }
  }
  return inDatabase(folder, async (client) => {
    await client.query('set search_path to mneme');
    const answers: unknown[] = [];
    for (const statement of asked) answers.push((await client.query(statement)).rows);
    return answers;
  });
}

type Outcome = { reads: number; failures: string[] };

/** Asks all questions, over and over, in one transaction each time. */
function startReader(folder: string): Promise<{ stop(): Promise<Outcome> }> {
  return isPostgres ? readDatabase(folder) : readFile(folder);
}

/** So many that at any moment one of them is in a transaction, unless something blocks them. */
const readersCount = 8;

async function readDatabase(folder: string) {
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('there is a server');
  const postgres = createPostgresPool({ ...database, busy_timeout_ms: 2_000, log: () => {} });
  const outcome: Outcome = { reads: 0, failures: [] };
  let isOver = false;
  const readOn = async () => {
    while (!isOver) {
      try {
        const found = await postgres.read(1, async ({ db }) => {
          const counts: number[] = [];
          for (const question of questions) {
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
  while (outcome.reads === 0 && outcome.failures.length === 0) await sleep(10);
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
async function readFile(folder: string) {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const workerData = { state, questions, indexNames, count, path: storePath(folder) };
  const worker = new Worker(readerProgram, { eval: true, workerData });
  const ended = new Promise<string[]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  while (Atomics.load(state, 1) === 0) await Promise.race([sleep(10), ended]);
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
  const { state, questions, indexNames, count, path } = workerData;
  const load = () => {
    try { return require('@photostructure/sqlite'); } catch { return require('node:sqlite'); }
  };
  const { DatabaseSync } = load();
  const sqlite = new DatabaseSync(path, { timeout: 2000 });
  const findIndex = sqlite.prepare(
    'select name from sqlite_schema where name in (' + indexNames.map((name) => "'" + name + "'") + ')',
  );
  const failures = [];
  while (Atomics.load(state, 0) === 0) {
    try {
      sqlite.exec('begin');
      const [{ name }] = findIndex.all();
      const [memories, history, [word]] = questions.map((question) =>
        sqlite.prepare(question.replaceAll('INDEX', name)).all(),
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
