import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { selectAllMatching } from '../../src/core/memory/selection.ts';
import type { ErasureSubject } from '../../src/core/ports/index.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import { createTables } from '../../src/storage/tables/create-tables.ts';
import { makeEvent, makeMemory, now } from './memory.ts';
import { insert, makeFolder } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 2_000, log: () => {} } as const;

const owner = { user_id: 'ann', agent_id: null, app_id: null, run_id: null };

const subject: ErasureSubject = {
  ids: new Set(['gone']),
  parts: [['gone']],
  positions: [],
  sources: new Set(),
  owners: [owner],
  entity: null,
  undecided: null,
};

/** Each tells of the erased memory, in a text of this many characters. */
function eventOf(id: string, length: number) {
  const parts = { event: 'ADD', data: { memory: '' }, user_id: null } as const;
  return makeEvent({
    id,
    ...owner,
    results: [{ ...parts, id: 'gone', memory: 'x'.repeat(length) }],
  });
}

/** A file with events of these lengths, and what each statement on it reads, in characters. */
async function makeFile(lengths: readonly number[]) {
  const data_dir = await makeFolder();
  const store = await openStore({ ...quiet, data_dir });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await store.transaction(async (tx) => {
    for (const [at, length] of lengths.entries())
      await tx.events.insert(project, eventOf(`e${at}`, length));
  });
  await store.close();
  const { reader, dialect, close } = await openSqlite({ ...quiet, path: storePath(data_dir) });
  onTestFinished(close);
  const read: number[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read.push(JSON.stringify(result.rows).length);
      return result;
    },
  };
  const at = { ...reader, db: reader.db.withPlugin(recorder), dialect, inline: { embedder: null } };
  return { erasure: createTables(at).erasure, project, read };
}

/** How many statements erase a user of so many memories, and what is counted afterwards. */
async function eraseUser(count: number, length: number) {
  const data_dir = await makeFolder();
  const store = await openStore({ ...quiet, data_dir });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const made = Array.from({ length: count }, (_, at) => {
    const text = `${at} ${'x'.repeat(length)}`;
    const ids = { user_id: 'ann', run_id: `run-${at % 20}` };
    return makeMemory({ id: `m${at}`, hash: `${at}`, memory: text, ...ids });
  });
  await insert(store, project, ...made);
  await store.close();
  const { write, dialect, close } = await openSqlite({ ...quiet, path: storePath(data_dir) });
  onTestFinished(close);
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      statements += 1;
      return result;
    },
  };
  return write(async (session) => {
    const run: typeof session.run = (statement, name) => {
      statements += 1;
      return session.run(statement, name);
    };
    const db = session.db.withPlugin(counter);
    const at = { ...session, run, db, dialect, inline: { embedder: null } };
    const { erasure, memories } = createTables(at);
    const chosen = { selection: selectAllMatching({ user_id: 'ann' }) };
    const subject = await erasure.select(project, chosen, { type: 'user', id: 'ann' });
    for (const part of subject.parts) await memories.delete(project, part);
    await erasure.erase(project, subject);
    const needed = statements;
    return { statements: needed, left: await erasure.count(project, subject) };
  });
}

it('erasing reads few long texts at once, and finds what each of them tells', async () => {
  const lengths = [...Array(250).fill(10), ...Array(30).fill(1_000_000), 6_000_000, 10];
  const { erasure, project, read } = await makeFile(lengths);

  const counts = await erasure.count(project, subject);

  expect(counts).toEqual({ events: lengths.length });
  const long = read.filter((length) => length > 100_000);
  expect(Math.max(...long)).toBeLessThan(6_100_000); // the longest, alone
  expect(long.filter((length) => length > 4_100_000)).toHaveLength(1);
  expect(long.length).toBeLessThan(15);
});

it('erasing reads many short texts at once', async () => {
  const { erasure, project, read } = await makeFile(Array(450).fill(10));

  expect(await erasure.count(project, subject)).toEqual({ events: 450 });
  expect(read.filter((length) => length > 1_000).length).toBeLessThan(10);
});

it('a user of a thousand short memories takes no more statements than one of ten', async () => {
  const few = await eraseUser(10, 100);
  const many = await eraseUser(1000, 100);

  expect(many).toEqual({ statements: few.statements, left: { entities: 1 } });
});

it('long memories are erased in parts', async () => {
  const short = await eraseUser(20, 100);
  const long = await eraseUser(20, 400_000);

  expect(long.statements).toBeGreaterThan(short.statements);
  expect(long.left).toEqual(short.left);
});
