import { expect, it } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { type Connection, connect } from './clients.ts';
import { callOverWire, integrityOf, makeFolder, query, startWire } from './support.ts';

const timeout = 180_000;

/** Calls of one client that are under way at once: an agent's, and then some. */
const atOnce = 8;

it('two servers on one folder store 1,000 memories each while they search', {
  timeout,
}, async () => {
  const data_dir = await makeFolder();
  const agents = [await connect({ data_dir }), await connect({ data_dir })];

  const refusals = await Promise.all(
    agents.map((agent, index) => workThrough(1000, (number) => addAndSearch(agent, index, number))),
  );

  expect(refusals.flat(2)).toEqual([]);
  expect(await integrityOf(data_dir)).toEqual(['ok']);
  expect(await count(data_dir, 'memories')).toBe(2000);
  expect(await count(data_dir, 'memory_fts')).toBe(2000);
  expect(await count(data_dir, "history where event = 'ADD'")).toBe(2000);
  expect(await entityCounts(data_dir)).toEqual({ first: 800, second: 800, shared: 400 });
  for (const agent of agents)
    expect(await shownCounts(agent)).toEqual(await entityCounts(data_dir));
});

it('two servers that add the same 200 texts store each once', { timeout }, async () => {
  const data_dir = await makeFolder();
  const agents = [await connect({ data_dir }), await connect({ data_dir })];

  const events = await Promise.all(
    agents.map((agent) =>
      workThrough(200, async (number) => {
        const text = `The same fact, number ${number}`;
        const { isError, structuredContent } = await agent.call('add_memory', { text });
        const [result] = (structuredContent.results ?? []) as { event: string }[];
        return isError ? JSON.stringify(structuredContent) : String(result?.event);
      }),
    ),
  );

  expect(events.flat().sort()).toEqual([...Array(200).fill('ADD'), ...Array(200).fill('NOOP')]);
  expect(await count(data_dir, 'memories')).toBe(200);
  expect(await count(data_dir, 'history')).toBe(200);
  expect(await integrityOf(data_dir)).toEqual(['ok']);
});

it('six servers that start at once on an empty folder all remember', { timeout }, async () => {
  const data_dir = await makeFolder();
  const wires = Array.from({ length: 6 }, () => startWire({ data_dir }));

  const added = await Promise.all(
    wires.map((wire, index) => callOverWire(wire, 'add_memory', { text: `Server ${index}` })),
  );

  expect(added.filter(({ isError }) => isError)).toEqual([]);
  expect(await count(data_dir, 'memories')).toBe(6);
  expect(await count(data_dir, 'projects')).toBe(1);
  expect(await integrityOf(data_dir)).toEqual(['ok']);
});

it('a write that another process blocks too long is refused with a reason; reads continue', {
  timeout,
}, async () => {
  const data_dir = await makeFolder();
  const wire = startWire({ data_dir });
  await callOverWire(wire, 'add_memory', { text: 'Likes tea' });
  const open = await loadSqlite();
  const other = open(storePath(data_dir));

  // The server may be writing still.
  other.exec('pragma busy_timeout = 10000; begin immediate');
  const refused = await callOverWire(wire, 'add_memory', { text: 'Likes coffee' });
  const found = await callOverWire(wire, 'search_memories', { query: 'tea' });
  other.exec('rollback');
  other.close();
  const added = await callOverWire(wire, 'add_memory', { text: 'Likes coffee' });

  expect(refused.structuredContent.error).toMatchObject({ code: 'unavailable' });
  expect(refused.content[0]?.text).toContain('locked by another process');
  expect(found.structuredContent.results).toMatchObject([{ memory: 'Likes tea' }]);
  expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
});

it('what one server stores, changes and deletes, another sees at once', async () => {
  const data_dir = await makeFolder();
  const [writer, reader] = [await connect({ data_dir }), await connect({ data_dir })];
  await reader.call('search_memories', { query: 'cello' });

  const added = await writer.call('add_memory', { text: 'Plays the cello' });
  const [stored] = added.structuredContent.results as { id: string }[];
  const memory_id = String(stored?.id);
  const found = await reader.call('search_memories', { query: 'cello' });
  await writer.call('update_memory', { memory_id, text: 'Plays the viola' });
  const changed = await reader.call('get_memory', { memory_id });
  await writer.call('delete_memory', { memory_id });
  const gone = await reader.call('get_memory', { memory_id });

  expect(found.structuredContent.results).toMatchObject([{ id: memory_id }]);
  expect(changed.structuredContent).toMatchObject({ memory: 'Plays the viola' });
  expect(gone.structuredContent.error).toMatchObject({ code: 'not_found' });
});

it('facts that one server has queued are stored even if it is killed immediately', async () => {
  const data_dir = await makeFolder();
  const env = { MNEME_LEASE_MS: '1000', MNEME_ADD_WAIT_MS: '0' };
  const [writer, other] = [await connect({ data_dir, env }), await connect({ data_dir, env })];
  const messages = [{ role: 'user', content: 'I adopted a beagle called Pixel.' }];

  const queued = await writer.call('add_memory', { messages });
  process.kill(writer.pid, 'SIGKILL');

  const { event_id } = queued.structuredContent;
  await expect
    .poll(async () => (await other.call('get_event', { event_id })).structuredContent.status, {
      timeout: 20_000,
    })
    .toBe('SUCCEEDED');
  const found = await other.call('search_memories', { query: 'Pixel' });
  expect(found.structuredContent.results).toHaveLength(1);
});

/** Adds one text of the user that shares or does not; every tenth time searches for an earlier one. */
async function addAndSearch(agent: Connection, index: number, number: number): Promise<string[]> {
  const user_id = number % 5 === 0 ? 'shared' : ['first', 'second'][index];
  const text = `Fact ${number} of process ${index}: code ${number * 7919 + index}`;
  const answers = [await agent.call('add_memory', { text, user_id })];
  if (number % 10 === 0) {
    answers.push(await agent.call('search_memories', { query: `fact ${number / 2}`, user_id }));
  }
  return answers.flatMap(({ isError, content }) => (isError ? [content[0]?.text ?? ''] : []));
}

/** Runs `work` for 1, 2, ... `total`, some concurrently; returns their results. */
async function workThrough<T>(total: number, work: (number: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let next = 1;
  const worker = async () => {
    while (next <= total) {
      const number = next++;
      answers.push(await work(number));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}

async function count(data_dir: string, what: string): Promise<number> {
  const [row] = await query<{ total: number }>(data_dir, `select count(*) as total from ${what}`);
  return row?.total ?? -1;
}

/** Memories by user, counted. */
async function entityCounts(data_dir: string): Promise<Record<string, number>> {
  const sql = 'select user_id, count(*) as total from memories group by user_id';
  const rows = await query<{ user_id: string; total: number }>(data_dir, sql);
  return Object.fromEntries(rows.map(({ user_id, total }) => [user_id, total]));
}

/** Memories by user, as the tool for entities says. */
async function shownCounts(agent: Connection): Promise<Record<string, number>> {
  const { structuredContent } = await agent.call('list_entities', { entity_type: 'user' });
  const entities = structuredContent.results as { id: string; total_memories: number }[];
  return Object.fromEntries(entities.map(({ id, total_memories }) => [id, total_memories]));
}
