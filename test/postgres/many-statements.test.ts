import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresSession } from '../../src/storage/postgres/connection/session.ts';
import { makeEvent } from '../storage/memory.ts';
import { firstPage, makeFolder, makeStore } from '../storage/support.ts';
import { databaseOf, isPostgres } from '../support/database.ts';

const many = Array.from({ length: 3000 }, (_, at) => at);

/** Counts the turns of others. */
function countTurns(): () => number {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  onTestFinished(() => clearInterval(others));
  return () => turns;
}

/** A connection in a transaction with a table of numbers, which are unique, and texts. */
async function makeConnection() {
  const { database } = await databaseOf(await makeFolder());
  const client = new pg.Client(database?.url);
  client.on('error', () => {}); // told to who waits for an answer
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('create temporary table numbers (place serial, number int unique, text text)');
  await client.query('begin');
  const { query } = createPostgresSession(client, { naming: { isOn: true } });
  const add = (number: number, text = '') =>
    query({
      text: 'insert into numbers (number, text) values ($1, $2)',
      values: [number, text],
      name: 'add',
    });
  return { client, query, add };
}

/** The number of the turn in which each part was written; a part takes a millisecond, or longer. */
function watchParts(client: pg.Client): number[] {
  const turns = countTurns();
  const written: number[] = [];
  const { stream } = (client as unknown as { connection: pg.Connection }).connection;
  const uncork = stream.uncork.bind(stream);
  stream.uncork = () => {
    written.push(turns());
    const end = performance.now() + 1;
    while (performance.now() < end);
    uncork();
  };
  return written;
}

describe.skipIf(!isPostgres)('3,000 statements without a result', () => {
  it('leave nothing if one fails, which is what the transaction fails with', async () => {
    const { store, project } = await makeStore();

    const failing = store.transaction(async (tx) => {
      for (const at of many) {
        await tx.events.insert(project, makeEvent({ id: at === 1000 ? 'e0' : `e${at}` }));
      }
    });

    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect((await store.events.list(project, firstPage)).total).toBe(0);
  });
});

describe.skipIf(!isPostgres)('3,000 statements sent together', () => {
  it('are written in several turns, and run in order', async () => {
    const { client, query, add } = await makeConnection();
    const written = watchParts(client);

    await Promise.all(many.map((at) => add(at)));

    expect(new Set(written).size).toBeGreaterThan(1);
    const { rows } = await query({ text: 'select number from numbers order by place' });
    expect(rows).toEqual(many.map((number) => ({ number })));
  });

  it('are not run after one that failed, and fail as it did', async () => {
    const { query, add } = await makeConnection();

    const answers = await Promise.allSettled(many.map((at) => add(at === 1000 ? 0 : at)));

    const kept = answers.slice(0, 1000).map(({ status }) => status);
    expect(new Set(kept)).toEqual(new Set(['fulfilled']));
    const errors = answers.slice(1000).map((one) => one.status === 'rejected' && one.reason.code);
    expect(new Set(errors)).toEqual(new Set(['23505']));
    await query({ text: 'rollback' });
    await expect(add(0)).resolves.toMatchObject({ count: 1 });
  });

  it('may fail while others are still to be written, and the connection works on', async () => {
    const { query, add } = await makeConnection();
    const long = 'x'.repeat(250_000);

    const asked = many.slice(0, 400).map((at) => add(at === 1 ? 0 : at, long));
    const unsent = query({ text: 'select 1 as one', name: 'one' });
    const answers = await Promise.allSettled([...asked, unsent]);

    const errors = answers.map((one) => one.status === 'rejected' && one.reason.code);
    expect(errors).toEqual([false, ...many.slice(0, 400).map(() => '23505')]);
    await query({ text: 'rollback' });
    await expect(add(1)).resolves.toMatchObject({ count: 1 });
    await expect(query({ text: 'select 1 as one', name: 'one' })).resolves.toMatchObject({
      rows: [{ one: 1 }],
    });
  });

  it('all fail if the connection ends while they are written', async () => {
    const { query, add } = await makeConnection();
    const long = 'x'.repeat(100_000);
    const end = () => query({ text: 'select pg_terminate_backend(pg_backend_pid())' });

    const answers = await Promise.allSettled(
      many.slice(0, 400).map((at) => (at === 0 ? end() : add(at, long))),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
  });
});
